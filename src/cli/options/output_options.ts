/** The options about output. */
import type { Option } from "../option.ts";

/** In the order of the help. */
export const outputOptions = [
  { name: "print", short: "p", kind: "flag", group: "Output", help: "print only the final answer" },
  {
    name: "mode",
    kind: "choice",
    placeholder: "json|rpc|result",
    choices: ["json", "rpc", "result"],
    group: "Output",
    help: "json: events; rpc: commands too; result: one object",
  },
  {
    name: "progress",
    short: "v",
    kind: "flag",
    group: "Output",
    help: "report session, steps and calls of -p on stderr",
    excludes: ["interactive"],
  },
  {
    name: "output",
    kind: "text",
    placeholder: "FILE",
    group: "Output",
    help: "write the final answer to FILE as well",
  },
  {
    name: "output-schema",
    kind: "text",
    placeholder: "FILE",
    group: "Output",
    help: "the final answer is JSON that fits this JSON Schema",
  },
  {
    name: "interactive",
    short: "i",
    kind: "flag",
    group: "Output",
    help: "run the prompt, then stay in the console",
    excludes: ["print", "mode", "output", "output-schema"],
  },
] as const satisfies readonly Option[];
