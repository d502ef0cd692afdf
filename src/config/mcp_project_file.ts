/** `.mcp.json` in the workspace's root: the servers of a project, in the form that many programs share. */
import { join, resolve } from "node:path";
import type { Environment } from "../core/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { readUnlinkedFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { checkValue } from "./check.ts";
import type { McpEntry } from "./mcp_entries.ts";
import { mcpServerTable } from "./mcp_table.ts";

export const projectFileName = ".mcp.json";

const maxFileBytes = 1024 * 1024;

export interface ProjectServers {
  readonly entries: readonly McpEntry[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

/** Reads it; `env` is what variables are filled in from. A file that cannot be read is a warning. */
export async function readProjectServers(
  workspace: string,
  env: Environment,
): Promise<ProjectServers> {
  const path = join(workspace, projectFileName);
  const none = (problem: string) => ({
    entries: [],
    warnings: [`${path}: ${problem}; its servers are skipped`],
  });
  const file = readUnlinkedFile(path, maxFileBytes);
  if (file.kind === "missing") return { entries: [], warnings: [] };
  if (file.kind === "link") return none("is a link");
  if (file.kind === "unreadable") return none(file.reason);
  const parsed = await parseLenient(file.text);
  if ("problem" in parsed) return none(parsed.problem?.message ?? "expected JSON");
  const root = parsed.value;
  const servers = isJsonObject(root) ? root.mcpServers ?? {} : undefined;
  if (!isJsonObject(servers)) return none("expected an object with mcpServers, an object");
  const entries: McpEntry[] = [], warnings: string[] = [];
  for (const [name, raw] of Object.entries(servers)) {
    const unknown: string[] = [];
    const read = isJsonObject(raw) ? readEntry(raw, workspace, env, unknown) : "expected an object";
    if (unknown.length > 0) {
      warnings.push(
        `${path}: mcp server ${name}: unknown keys are ignored: ${unknown.slice(0, 10).join(", ")}`,
      );
    }
    if (typeof read === "string") warnings.push(`${path}: mcp server ${name}: ${read}; skipped`);
    else entries.push({ name, scope: "project", file: path, form: "shared", ...read });
  }
  return { entries, warnings };
}

const knownKeys = [
  "type",
  "command",
  "args",
  "env",
  "cwd",
  "url",
  "headers",
  "timeout",
  "disabled",
];
const transports = ["stdio", "http", "streamable-http", "streamableHttp"];

/** The entry as settings have it, or what is wrong with it. */
function readEntry(
  raw: JsonObject,
  workspace: string,
  env: Environment,
  unknown: string[],
): Pick<McpEntry, "values" | "written"> | string {
  unknown.push(...Object.keys(raw).filter((key) => !knownKeys.includes(key)));
  const { type, command, args = [], cwd, url, headers, timeout, disabled } = raw;
  if (disabled === true && Object.keys(raw).length === 1) return { values: { enabled: false } };
  if (type !== undefined && !transports.includes(String(type))) {
    return type === "sse" || type === "ws"
      ? `type: ${type} is deprecated and not spoken here; a bridge as mcp-remote can`
      : `type: expected one of ${transports.join(", ")}`;
  }
  if (command !== undefined && typeof command !== "string") return "command: expected a text";
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) {
    return "args: expected an array of texts";
  }
  if (type === "stdio" && command === undefined) return "command: expected a text";
  if (type !== undefined && type !== "stdio" && url === undefined) {
    return "url: expected an address";
  }
  const missing: string[] = [];
  const fill = (value: Json): Json => filled(value, env, missing);
  const written: JsonObject = command === undefined ? {} : { command: [command, ...args] };
  const values: JsonObject = {
    ...fill(written) as JsonObject,
    ...raw.env === undefined ? {} : { env: fill(raw.env) },
    ...url === undefined ? {} : { url: fill(url) },
    ...headers === undefined ? {} : { headers: fill(headers) },
    ...cwd === undefined ? {} : { cwd },
    ...disabled === true ? { enabled: false } : {},
    ...timeout === undefined ? {} : { call_timeout_seconds: secondsOf(timeout) },
  };
  if (missing.length > 0) {
    return `the variable ${missing[0]} is not set, and has no default as in \${${
      missing[0]
    }:-text}`;
  }
  for (const [key, value] of Object.entries(values)) {
    const checked = checkValue(mcpServerTable[key as keyof typeof mcpServerTable], value);
    if (!("value" in checked)) {
      return `${
        [key === "call_timeout_seconds" ? "timeout" : key, ...checked.below ?? []].join(".")
      }: expected ${checked.expected}`;
    }
  }
  if (typeof cwd === "string") values.cwd = resolve(workspace, cwd);
  const texts = (value: Json | undefined) => isJsonObject(value) ? value : {};
  return {
    values,
    written: {
      ...written,
      ...typeof url === "string" ? { url } : {},
      env: texts(raw.env),
      headers: texts(headers),
    },
  };
}

function secondsOf(milliseconds: Json): Json {
  return typeof milliseconds === "number"
    ? Math.max(1, Math.ceil(milliseconds / 1000))
    : milliseconds;
}

/** `value` with `${NAME}` and `${NAME:-text}` filled in, once; what is not set and has no default is missing. */
function filled(value: Json, env: Environment, missing: string[]): Json {
  if (typeof value === "string") {
    return value.replace(/\$\{(\w+)(?::-([^{}]*))?\}/g, (_whole, name: string, other?: string) => {
      // as in a shell: a default counts also for what is empty
      const found = other === undefined ? env.get(name) : env.get(name) || other;
      if (found === undefined) missing.push(name);
      return found ?? "";
    });
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, env, missing));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, filled(inner, env, missing)]),
  );
}
