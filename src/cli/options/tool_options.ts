/** The options about tools and permissions. */
import { sandboxModes } from "../../core/sandbox.ts";
import type { Option } from "../option.ts";

/** In the order of the help. */
export const toolOptions = [
  {
    name: "tools",
    kind: "list",
    placeholder: "LIST",
    group: "Tools and permissions",
    help: "offer only these tools: read,grep,... or none",
  },
  {
    name: "plan",
    kind: "flag",
    group: "Tools and permissions",
    help: "plan mode: read, do not change",
  },
  {
    name: "yolo",
    kind: "flag",
    group: "Tools and permissions",
    help: "approve every tool call",
    excludes: ["ask"],
  },
  {
    name: "ask",
    kind: "choice",
    placeholder: "allow|deny",
    choices: ["allow", "deny"],
    group: "Tools and permissions",
    help: "the answer to permission questions in scripts",
  },
  {
    name: "allow",
    kind: "texts",
    placeholder: "KEY",
    group: "Tools and permissions",
    help: "allow bash:COMMAND or tool:NAME; repeatable",
  },
  {
    name: "no-extensions",
    kind: "flag",
    group: "Tools and permissions",
    help: "start no extension",
  },
  {
    name: "approve",
    aliases: ["trust"],
    kind: "flag",
    group: "Tools and permissions",
    help: "use the project's tools, settings",
  },
  {
    name: "no-approve",
    aliases: ["no-trust"],
    kind: "flag",
    group: "Tools and permissions",
    help: "ignore them without asking",
    excludes: ["approve"],
    negates: "approve",
  },
  {
    name: "sandbox",
    kind: "choice",
    placeholder: "MODE",
    choices: sandboxModes,
    group: "Tools and permissions",
    help: "confine commands: off, commit, workspace or read",
  },
  {
    name: "sandbox-net",
    kind: "text",
    placeholder: "LIST",
    group: "Tools and permissions",
    help: "what they reach: off, on, or hosts with commas",
  },
  {
    name: "no-hooks",
    kind: "flag",
    group: "Tools and permissions",
    help: "run no hooks, guards among them neither",
  },
] as const satisfies readonly Option[];
