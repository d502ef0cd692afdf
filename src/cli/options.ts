/** The option table: parsing, help and docs all follow from it. */
import { thinkingLevels } from "../core/model.ts";
import { schemaNames, shellNames } from "./choices.ts";

export const optionGroups = [
  "Output",
  "Model",
  "Tools and permissions",
  "Sessions and limits",
  "Input",
  "Information",
] as const;

export interface Option {
  readonly name: string;
  readonly short?: string;
  /**
   * flag: takes no value · text: not empty · choice: one of `choices` · list: names with commas ·
   * integer: 1 to `max` · seconds: above 0, fractions allowed, up to `max`
   */
  readonly kind: "flag" | "text" | "choice" | "list" | "integer" | "seconds";
  /** How the value is named in the help. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly max?: number;
  readonly group: typeof optionGroups[number];
  /** One short line for the help. */
  readonly help: string;
  /** Options that make no sense beside this one; said on one side only. */
  readonly excludes?: readonly string[];
  /** True where prompt words make no sense beside it. */
  readonly refusesPrompt?: boolean;
}

/** In the order of the help. A value flag given twice: the last one counts. */
export const optionTable: readonly Option[] = [
  { name: "print", short: "p", kind: "flag", group: "Output", help: "print only the final answer" },
  {
    name: "mode",
    kind: "choice",
    placeholder: "json|rpc",
    choices: ["json", "rpc"],
    group: "Output",
    help: "json: events on stdout; rpc: commands on stdin too",
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
  {
    name: "provider",
    kind: "text",
    placeholder: "NAME",
    group: "Model",
    help: "the provider for this process",
  },
  {
    name: "model",
    kind: "text",
    placeholder: "ID",
    group: "Model",
    help: "the model for this process",
  },
  {
    name: "thinking",
    kind: "choice",
    placeholder: "LEVEL",
    choices: thinkingLevels,
    group: "Model",
    help: thinkingLevels.join(", "),
  },
  {
    name: "api-key",
    kind: "text",
    placeholder: "KEY",
    group: "Model",
    help: "the key for this process; others may see it",
  },
  {
    name: "record",
    kind: "text",
    placeholder: "FILE",
    group: "Model",
    help: "write the model's side as a cassette to replay",
  },
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
    help: "the answer where nobody can be asked",
  },
  {
    name: "approve",
    kind: "flag",
    group: "Tools and permissions",
    help: "load the project's own tools, skills, settings",
  },
  {
    name: "no-approve",
    kind: "flag",
    group: "Tools and permissions",
    help: "skip them without asking",
    excludes: ["approve"],
  },
  {
    name: "no-session",
    kind: "flag",
    group: "Sessions and limits",
    help: "keep no session file",
    excludes: ["session", "resume"],
  },
  {
    name: "session",
    kind: "text",
    placeholder: "ID",
    group: "Sessions and limits",
    help: "go on with this session",
  },
  {
    name: "resume",
    kind: "flag",
    group: "Sessions and limits",
    help: "go on with the workspace's latest session",
  },
  {
    name: "max-steps",
    kind: "integer",
    placeholder: "N",
    max: 1_000_000,
    group: "Sessions and limits",
    help: "stop at N model requests (exit status 3)",
  },
  {
    name: "timeout",
    kind: "seconds",
    placeholder: "SECONDS",
    max: 2_000_000,
    group: "Sessions and limits",
    help: "stop after that long (exit status 3)",
  },
  {
    name: "cwd",
    kind: "text",
    placeholder: "DIR",
    group: "Input",
    help: "use DIR as the workspace",
  },
  { name: "no-stdin", kind: "flag", group: "Input", help: "do not read stdin as prompt text" },
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
    excludes: ["doctor", "show-config"],
  },
  {
    name: "doctor",
    kind: "flag",
    group: "Information",
    help: "print provider, model, files, where the key is from",
    refusesPrompt: true,
    excludes: ["show-config"],
  },
  {
    name: "show-config",
    kind: "flag",
    group: "Information",
    help: "print every setting and where it is from",
    refusesPrompt: true,
  },
  {
    name: "schema",
    kind: "choice",
    placeholder: "NAME",
    choices: schemaNames,
    group: "Information",
    help: "print a schema: events, config, tool, rpc, session",
    refusesPrompt: true,
    excludes: ["list-tools", "call-tool", "doctor", "show-config"],
  },
  {
    name: "completions",
    kind: "choice",
    placeholder: "SHELL",
    choices: shellNames,
    group: "Information",
    help: "print tab completions for bash, zsh or fish",
    refusesPrompt: true,
    excludes: ["list-tools", "call-tool", "doctor", "show-config", "schema"],
  },
  {
    name: "refresh-models",
    kind: "flag",
    group: "Information",
    help: "fetch the table of models and prices anew",
    refusesPrompt: true,
    excludes: ["list-tools", "call-tool", "doctor", "show-config", "schema", "completions"],
  },
  { name: "help", short: "h", kind: "flag", group: "Information", help: "print this help" },
  { name: "version", kind: "flag", group: "Information", help: "print the version" },
];
