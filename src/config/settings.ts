/**
 * The settings: every key of config.json and auth.json with its kind, default and meaning.
 * Validation, types, --show-config, the reference docs and the JSON Schema all follow from here.
 */
import type { JsonObject } from "../core/json.ts";
import { thinkingLevels } from "../core/model.ts";
import { sandboxSettings } from "./sandbox_settings.ts";

export interface Setting {
  /**
   * text: not empty · secret: a text that is never shown, or a reference to one · url: http or https ·
   * list: an array of texts ·
   * hosts: off, on, or hosts: a text with commas, or an array ·
   * path: `~/` and paths relative to the file's folder are resolved · texts: an object of texts that
   * are never shown · variables: the same, of an environment · names: an array of names, or true ·
   * command: a program and its arguments ·
   * object: any object · hooks: read by whoever runs them · number: fractions allowed
   */
  readonly kind:
    | "text"
    | "secret"
    | "url"
    | "path"
    | "boolean"
    | "choice"
    | "integer"
    | "number"
    | "object"
    | "list"
    | "hosts"
    | "names"
    | "command"
    | "texts"
    | "variables"
    | "hooks";
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The one value that a project's file may set: a project can tighten safety, never loosen it. */
  readonly projectValue?: string | boolean;
  /** True where a project's file may not set it at all. */
  readonly isPersonal?: boolean;
  /** True where a project's file may only make it stricter, which overrides the person's own value. */
  readonly isTightened?: boolean;
}

const maxTokens = 100_000_000;

/** Every key of config.json but those below `providers` and `mcp.servers`. */
export const settingTable = {
  "default_provider": {
    kind: "text",
    default: "openrouter",
    description: "The provider used without `--provider`.",
  },
  "default_model": {
    kind: "text",
    description: "The model of the default provider used without `--model`.",
  },
  "agent.max_tokens": {
    kind: "integer",
    min: 1,
    max: maxTokens,
    description:
      "Tokens that one answer may have at most; without it a known model's own cap, at most 32000.",
  },
  "agent.request_timeout": {
    kind: "number",
    min: 0.001,
    max: 2_000_000,
    default: 300,
    description: "Seconds of silence after which a model request is given up and retried.",
  },
  "agent.thinking": {
    kind: "choice",
    choices: thinkingLevels,
    description: "How much the model thinks; `NIMLET_THINKING` and `--thinking` override it.",
  },
  "agent.context_window": {
    kind: "integer",
    min: 0,
    max: maxTokens,
    default: 0,
    description: "Tokens that fit into the model's context; 0: the number in the model table.",
  },
  "agent.compaction_enabled": {
    kind: "boolean",
    default: true,
    description: "Whether older messages are summarised when the context window fills up.",
  },
  "agent.reserve_tokens": {
    kind: "integer",
    min: 0,
    max: maxTokens,
    default: 16_384,
    description: "Tokens of the context window kept free; beyond that the session is compacted.",
  },
  "agent.keep_recent_tokens": {
    kind: "integer",
    min: 0,
    max: maxTokens,
    default: 20_000,
    description: "Tokens of the newest messages that compaction keeps unchanged.",
  },
  "agent.session_dir": {
    kind: "path",
    description: "Folder of the session files, instead of `sessions` in nimlet's home folder.",
  },
  "agent.steering_mode": {
    kind: "choice",
    choices: ["one-at-a-time", "all"],
    default: "one-at-a-time",
    description: "How many queued steering messages enter at once.",
  },
  "agent.follow_up_mode": {
    kind: "choice",
    choices: ["one-at-a-time", "all"],
    default: "one-at-a-time",
    description: "How many queued follow-up messages enter at once.",
  },
  "agent.max_steps": {
    kind: "integer",
    min: 1,
    max: 1_000_000,
    description: "Model requests after which a run is stopped; `--max-steps` overrides it.",
  },
  "agent.max_cost": {
    kind: "number",
    min: 0.000001,
    max: 1_000_000,
    description: "Dollars after which no model request of a run begins; `--max-cost` overrides it.",
  },
  "agent.max_repeats": {
    kind: "integer",
    min: 0,
    max: 1_000_000,
    default: 10,
    description:
      "How often in a row the same call may have the same result before the run is stopped; 0 for no limit.",
  },
  "tools.bash.max_output_bytes": {
    kind: "integer",
    min: 1,
    max: maxTokens,
    default: 100_000,
    description: "Bytes of output that the model gets of a command or external tool.",
  },
  "tools.pass_credentials": {
    kind: "boolean",
    default: false,
    projectValue: false,
    description: "Whether shells and tools inherit the providers' key variables.",
  },
  "permissions.allow": {
    kind: "list",
    isPersonal: true,
    description:
      'What needs no approval: commands as `"bash:npm test"`, tools as `"tool:git"`. `--allow` adds to it.',
  },
  "permissions.headless": {
    kind: "choice",
    choices: ["allow", "deny"],
    default: "allow",
    projectValue: "deny",
    description: "The answer to permission questions where nobody can be asked.",
  },
  ...sandboxSettings,
  "mcp.project_file": {
    kind: "boolean",
    default: true,
    description: "Whether the `.mcp.json` of a trusted project is read.",
  },
  "hooks": {
    kind: "hooks",
    description:
      "Commands that are started for events, by the event's name; lists of all files are joined.",
  },
  "hook_files": {
    kind: "list",
    description: "Other files whose `hooks` count as well, as `~/.claude/settings.json`.",
  },
} as const satisfies Record<string, Setting>;

/** Every key of `providers.<name>`. */
export const providerTable = {
  api: {
    kind: "choice",
    choices: ["chat", "responses", "anthropic", "google"],
    description: "The protocol of a provider of your own, whose name is not in the table.",
  },
  endpoint: {
    kind: "url",
    description: "Base address of the provider's interface.",
  },
  api_key: {
    kind: "secret",
    description: "The key: itself, `{env:NAME}` or `{file:path}`.",
  },
  options: {
    kind: "object",
    description: "Native request fields merged into each request.",
  },
  headers: {
    kind: "texts",
    description: "HTTP headers added to each request.",
  },
  last_model: {
    kind: "text",
    description: "The model chosen last in the console; nimlet writes it.",
  },
} as const satisfies Record<string, Setting>;

/** Every key of an entry of auth.json. */
export const authTable = {
  type: { kind: "choice", choices: ["api_key"], description: "What the entry holds." },
  key: { kind: "secret", description: "The key itself." },
} as const satisfies Record<string, Setting>;

/** A value as it is after reading: numbers are numbers, paths absolute. */
export type ValueOf<S extends Setting> = S extends { kind: "integer" | "number" } ? number
  : S extends { kind: "boolean" } ? boolean
  : S extends { kind: "choice"; choices: readonly (infer Choice)[] } ? Choice
  : S extends { kind: "object" | "hooks" } ? JsonObject
  : S extends { kind: "texts" | "variables" } ? Readonly<Record<string, string>>
  : S extends { kind: "list" | "command" } ? readonly string[]
  : S extends { kind: "names" } ? readonly string[] | true
  : string;

export type SettingKey = keyof typeof settingTable;

/** `settings["agent.max_tokens"]`: the effective values; undefined where there is no default. */
export type Settings = {
  readonly [Key in SettingKey]:
    | ValueOf<typeof settingTable[Key]>
    | (typeof settingTable[Key] extends { default: unknown } ? never : undefined);
};

export type ProviderSettings = {
  readonly [Key in keyof typeof providerTable]?: ValueOf<typeof providerTable[Key]>;
};
