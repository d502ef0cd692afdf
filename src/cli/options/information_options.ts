/** The options about information. */
import type { Option } from "../option.ts";

/** In the order of the help. */
export const informationOptions = [
  {
    name: "list-tools",
    kind: "flag",
    group: "Information",
    help: "print the tools in effect (--mode json: as JSON)",
    refusesPrompt: true,
    excludes: ["call-tool", "doctor", "show-config"],
  },
  {
    name: "call-tool",
    kind: "text",
    placeholder: "NAME JSON",
    group: "Information",
    help: "run one tool; JSON may be @FILE or - for stdin",
    expected: "a tool's NAME",
    once: true,
    excludes: ["doctor", "show-config"],
  },
  {
    name: "doctor",
    kind: "flag",
    group: "Information",
    help: "print provider, model, files, source of the key",
    refusesPrompt: true,
    excludes: ["show-config"],
  },
  {
    name: "show-config",
    kind: "flag",
    group: "Information",
    help: "print every setting with its source",
    refusesPrompt: true,
  },
  {
    name: "schema",
    kind: "choice",
    placeholder: "NAME",
    choices: ["events", "config", "tool", "rpc", "session"],
    group: "Information",
    help: "print a schema: events, config, tool, rpc, session",
    refusesPrompt: true,
    excludes: ["list-tools", "call-tool", "doctor", "show-config"],
  },
  {
    name: "completions",
    kind: "choice",
    placeholder: "SHELL",
    choices: ["bash", "zsh", "fish"],
    group: "Information",
    help: "print tab completions for bash, zsh or fish",
    refusesPrompt: true,
    excludes: ["list-tools", "call-tool", "doctor", "show-config", "schema"],
  },
  {
    name: "refresh-models",
    kind: "flag",
    group: "Information",
    help: "fetch the table of models and prices again",
    refusesPrompt: true,
    excludes: ["list-tools", "call-tool", "doctor", "show-config", "schema", "completions"],
  },
  { name: "help", short: "h", kind: "flag", group: "Information", help: "print this help" },
  { name: "version", kind: "flag", group: "Information", help: "print the version" },
] as const satisfies readonly Option[];
