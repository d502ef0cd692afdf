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
    name: "attach",
    kind: "texts",
    placeholder: "FILE",
    group: "Input",
    help: "send a text or image with the prompt; repeatable",
  },
  {
    name: "strict",
    kind: "flag",
    group: "Input",
    help: "fail where the model cannot see all of the prompt",
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
