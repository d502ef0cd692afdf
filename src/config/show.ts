/** The configuration as people are shown it: values with their sources, never a secret. */
import type { DoctorReport } from "../core/doctor_report.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { shownCommand } from "../core/mcp_server.ts";
import { assertNever } from "../lib/assert_never.ts";
import { visibleText } from "../lib/visible_text.ts";
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

/** The lines of `--doctor`. */
export function doctorLines(report: DoctorReport): string[] {
  const { provider, model, endpoint, key_source, key_variables: variables } = report;
  const known = provider === null ? [] : [
    `provider: ${provider}`,
    `model: ${model ?? "none chosen"}`,
    `endpoint: ${endpoint ?? "none"}`,
  ];
  const key = provider === null ? [] : [
    `key: ${key_source === null ? "none found" : `from ${key_source}`}`,
    `key variables: ${variables.length === 0 ? "none needed" : variables.join(", ")}`,
  ];
  return [
    ...known,
    ...report.config.map((file) => `config: ${fileLine(file)}`),
    ...report.sandbox === null ? [] : [
      `sandbox: ${report.sandbox.mode}, network: ${report.sandbox.net}`,
      ...report.sandbox.lines.map(([name, text]) => `sandbox ${name}: ${text}`),
    ],
    ...report.mcp_servers.map(serverLine),
    ...report.hooks.map(hookLine),
    ...report.extensions.map(({ name, scope, folder, command, guards }) =>
      `extension ${name}: ${command.join(" ")} (${
        scope === "user" ? "yours" : "the project's"
      }, ${folder}${guards ? "; a guard" : ""})`
    ),
    `settings are saved to: ${report.settings_saved_to ?? "nowhere, as there is no home folder"}`,
    ...key,
    `compiled code: ${report.compiled_code}`,
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...(report.tests ?? []).map(({ text }) => text),
    ...report.problem === null ? [] : [`problem: ${report.problem}`],
    `next: ${report.next}`,
  ].map((line) => visibleText(line));
}

function hookLine(hook: DoctorReport["hooks"][number]): string {
  const { event, matcher, name, command, file, scope, required } = hook;
  const whose = scope === "user" ? "yours" : "the project's";
  const about = matcher === "" ? event : `${event}, ${matcher}`;
  const kind = required ? "; required" : hook.async ? "; async" : "";
  return `hook ${name} (${about}): ${command} (${whose}, ${file}${kind})`;
}

function serverLine(server: DoctorReport["mcp_servers"][number]): string {
  const { name, scope, file, target, required, tools_listed_at: at } = server;
  const whose = scope === "user" ? "yours" : "the project's";
  const list = at === null ? "its tools are not known yet" : `its tools are known since ${at}`;
  const limits =
    `${server.startup_timeout_seconds} s to start, ${server.call_timeout_seconds} s of silence`;
  return `mcp server ${name}: ${target} (${whose}, ${file}; ${limits}; ${list}${
    required ? "; required" : ""
  })`;
}

/** An address without credentials, query and fragment. */
export function publicAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return "(not an address)";
  return `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}

function withoutSecrets(path: readonly string[], value: Json): Json {
  const [first, second, field] = path;
  if (first === "mcp" && second === "servers") return serverValue(path[3], value);
  if (first !== "providers") return value;
  switch (field) {
    case "api_key":
      return isReference(value) ? value : hidden;
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

/** A value below `mcp.servers.<name>`, by its key. */
function serverValue(key: string | undefined, value: Json): Json {
  switch (key) {
    case "bearer_token":
    case "env":
    case "headers":
      return isReference(value) ? value : hidden;
    case "bearer_command":
    case "command":
      return Array.isArray(value) ? shownCommand(value.map(String)) : value;
    case "url":
      return typeof value === "string" ? publicAddress(value) : value;
    default:
      return value;
  }
}

function isReference(value: Json): boolean {
  return typeof value === "string" && /^\s*\{(env|file):[^{}]*\}\s*$/.test(value);
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
      return `${path} (${whose}, not read: the project is not trusted; --approve reads it)`;
    default:
      return assertNever(state);
  }
}
