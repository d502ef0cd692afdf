/** The configuration as people are shown it: values with their sources, never a secret. */
import type { Host } from "../core/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { assertNever } from "../lib/assert_never.ts";
import { visibleText } from "../lib/visible_text.ts";
import type { FoundKey } from "./credentials.ts";
import type { ConfigFile, LoadedConfig } from "./load.ts";
import type { SettingSource } from "./merge.ts";

export interface ShownSetting {
  /** Dotted. */
  readonly key: string;
  readonly value: Json;
  readonly source: string;
}

/** Every effective value with its source, sorted by key; secrets are replaced by `(hidden)`. */
export function shownSettings(config: Pick<LoadedConfig, "tree" | "sources">): ShownSetting[] {
  const shown: ShownSetting[] = [];
  const walk = (object: JsonObject, prefix: readonly string[]) => {
    for (const [name, value] of Object.entries(object)) {
      const path = [...prefix, name], key = path.join(".");
      const source = config.sources.get(key);
      if (isJsonObject(value) && source === undefined) walk(value, path);
      else if (source !== undefined) {
        shown.push({ key, value: withoutSecrets(path, value), source: sourceText(source) });
      }
    }
  };
  walk(config.tree, []);
  return shown.sort((a, b) => a.key < b.key ? -1 : 1);
}

/** The lines of `--show-config`. */
export function configLines(config: Pick<LoadedConfig, "tree" | "sources" | "files">): string[] {
  return [
    ...config.files.map((file) => `# ${fileLine(file)}`),
    ...shownSettings(config).map(({ key, value, source }) =>
      `${key} = ${visibleText(JSON.stringify(value))}  # ${visibleText(source)}`
    ),
  ];
}

export interface DoctorReport {
  readonly provider: string;
  readonly model: string | undefined;
  readonly endpoint: string | undefined;
  readonly files: readonly ConfigFile[];
  /** The config.json that settings are saved to. */
  readonly writeTarget: string | undefined;
  /** Only its source is shown; undefined where no key was found. */
  readonly key: Pick<FoundKey, "source"> | undefined;
  readonly keyVariables: readonly string[];
  readonly compiledCode: Host["compiledCode"];
  readonly warnings: readonly string[];
}

/** The lines of `--doctor`. */
export function doctorLines(report: DoctorReport): string[] {
  const variables = report.keyVariables.length === 0
    ? "none needed"
    : report.keyVariables.join(", ");
  return [
    `provider: ${report.provider}`,
    `model: ${report.model ?? "none chosen; set default_model or use --model"}`,
    `endpoint: ${report.endpoint === undefined ? "none" : publicAddress(report.endpoint)}`,
    ...report.files.map((file) => `config: ${fileLine(file)}`),
    `settings are saved to: ${report.writeTarget ?? "nowhere, as there is no home folder"}`,
    `key: ${report.key === undefined ? "not found" : `from ${report.key.source}`}`,
    `key variables: ${variables}`,
    `compiled code: ${report.compiledCode}`,
    ...report.warnings.map((warning) => `warning: ${warning}`),
  ].map((line) => visibleText(line));
}

/** The same for a program; null where there is none. */
export function doctorJson(report: DoctorReport): JsonObject {
  return {
    provider: report.provider,
    model: report.model ?? null,
    endpoint: report.endpoint === undefined ? null : publicAddress(report.endpoint),
    config: report.files.map(({ path, scope, state }) => ({ path, scope, state })),
    settings_saved_to: report.writeTarget ?? null,
    key_source: report.key?.source ?? null,
    key_variables: [...report.keyVariables],
    compiled_code: report.compiledCode,
    warnings: [...report.warnings],
  };
}

/** An address without credentials, query and fragment. */
export function publicAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return "(not an address)";
  return `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}

function withoutSecrets(path: readonly string[], value: Json): Json {
  const [first, , field] = path;
  if (first !== "providers") return value;
  switch (field) {
    case "api_key":
      return typeof value === "string" && /^\s*\{(env|file):[^{}]*\}\s*$/.test(value)
        ? value
        : hidden;
    case "headers":
      return hidden;
    case "endpoint":
      return typeof value === "string" ? publicAddress(value) : value;
    case "options":
      return path.slice(3).some((name) => secretName.test(name)) ? hidden : value;
    default:
      return value;
  }
}

const hidden = "(hidden)";

/** Names of request fields that may well hold a secret: `apiKey`, `access_token`, but not `max_tokens`. */
const secretName = /(key|token|secret|password|credentials?|auth|authorization)$/i;

function sourceText(source: SettingSource): string {
  switch (source.scope) {
    case "default":
      return "default";
    case "user":
    case "project":
      return source.file;
    case "environment":
      return source.variable;
    case "flag":
      return "command line";
    default:
      return assertNever(source);
  }
}

function fileLine({ path, scope, state }: ConfigFile): string {
  const whose = scope === "user" ? "yours" : "the project's";
  switch (state) {
    case "read":
      return `${path} (${whose})`;
    case "missing":
      return `${path} (${whose}, not there)`;
    case "untrusted":
      return `${path} (${whose}, not read: the project is not trusted)`;
    default:
      return assertNever(state);
  }
}
