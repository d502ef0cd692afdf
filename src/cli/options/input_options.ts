/** The options about input. */
import type { Option } from "../option.ts";

/** In the order of the help. */
export const inputOptions = [
  {
    name: "set",
    kind: "texts",
    placeholder: "KEY=VALUE",
    group: "Input",
    help: "a setting for this process; repeatable",
  },
  {
    name: "cwd",
    kind: "text",
    placeholder: "DIR",
    group: "Input",
    help: "use DIR as the workspace",
  },
  { name: "no-stdin", kind: "flag", group: "Input", help: "do not read stdin as prompt text" },
] as const satisfies readonly Option[];
