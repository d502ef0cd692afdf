/** Makes servers of what the settings and `.mcp.json` say, and sentences of what cannot be one. */
import { dirname, join } from "node:path";
import { keyVariables } from "../core/child_environment.ts";
import type { Environment } from "../core/host.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import {
  isSecretName,
  type McpAddress,
  type McpProgram,
  type McpServerFault,
  type McpServerList,
  type McpServerSettings,
  secretsOf,
} from "../core/mcp_server.ts";
import { effectiveEntries, type McpEntry } from "./mcp_entries.ts";
import { programEnvironment } from "./mcp_environment.ts";
import type { McpServerValues } from "./mcp_table.ts";
import { resolveSecret } from "./secret.ts";
import { publicAddress } from "./show.ts";

export interface ServerPlace {
  /** Absolute. */
  readonly workspace: string;
  readonly env: Environment;
  /** Variables that hold keys of providers, beside the usual ones. */
  readonly hiddenVariables: readonly string[];
}

const maxServers = 32, maxArguments = 256;

/** The servers of `entries`, which may be of several files. */
export function mcpServerList(
  entries: readonly McpEntry[],
  place: ServerPlace,
  warnings: string[],
): McpServerList {
  const servers: McpServerSettings[] = [], faults: McpServerFault[] = [];
  const counting = effectiveEntries(entries, warnings).filter(({ values }) =>
    values.enabled !== false
  );
  for (const [index, entry] of counting.entries()) {
    const { name, file } = entry;
    const made = index >= maxServers
      ? `there are more than ${maxServers} servers`
      : !/^[A-Za-z0-9][\w-]{0,31}$/.test(name) || /__|_$/.test(name)
      ? "expected a name of 1 to 32 letters, digits, - and single _, which is not the last"
      : serverOf(entry, place);
    if (typeof made !== "string") servers.push(made);
    else faults.push({ name, file, problem: `${file}: mcp server ${name}: ${made}; skipped` });
  }
  return { servers, faults };
}

/** The server, or what is wrong with its entry. */
function serverOf(entry: McpEntry, place: ServerPlace): McpServerSettings | string {
  const values = entry.values as McpServerValues;
  const unfilled = entry.form === "config" ? unfilledKey(values) : undefined;
  if (unfilled !== undefined) {
    return `${unfilled}: expected a text without \${...}, which only .mcp.json fills in; use {env:NAME}`;
  }
  if ((values.command === undefined) === (values.url === undefined)) {
    return "expected either command or url";
  }
  const reach = values.command === undefined
    ? addressOf(entry, values, place)
    : programOf(entry, values, values.command, place);
  if (typeof reach === "string") return reach;
  const { tools } = values;
  return {
    name: entry.name,
    scope: entry.scope === "user" ? "global" : "project",
    file: entry.file,
    identity: JSON.stringify([entry.name, entry.scope, entry.file, entry.values]),
    reach,
    required: values.required ?? false,
    startupTimeoutSeconds: values.startup_timeout_seconds ?? 30,
    callTimeoutSeconds: values.call_timeout_seconds ?? 120,
    ...tools === undefined ? {} : { tools },
    excludeTools: values.exclude_tools ?? [],
    planTools: values.plan_tools ?? [],
    instructions: values.instructions ?? false,
  };
}

/** The key of a text that looks as if it was to be filled in. */
function unfilledKey(
  { command = [], url = "", env = {}, headers = {}, bearer_token = "" }: McpServerValues,
) {
  const texts: [string, readonly string[]][] = [
    ["command", command],
    ["url", [url]],
    ["env", Object.values(env)],
    ["headers", Object.values(headers)],
    ["bearer_token", [bearer_token]],
  ];
  return texts.find(([, all]) => all.some((text) => text.includes("${")))?.[0];
}

function programOf(
  entry: McpEntry,
  values: McpServerValues,
  command: readonly string[],
  place: ServerPlace,
): McpProgram | string {
  const [program = "", ...args] = command;
  if (command.length > maxArguments) return `command: expected at most ${maxArguments} texts`;
  if (command.some((word) => word.includes("\0"))) return "command: holds a NUL character";
  const unused = ["headers", "bearer_token", "bearer_command"].find((key) => key in values);
  if (unused !== undefined) return `${unused}: is for servers with a url`;
  const { env = {}, inherit_env: inherited = [] } = values;
  const written = entry.written?.command;
  return {
    kind: "stdio",
    command: [program, ...args],
    written: Array.isArray(written) ? written.map(String) : command,
    cwd: values.cwd ?? place.workspace,
    folder: folderOf(entry, place),
    env: () => ({
      ...programEnvironment(place, inherited, entry.scope),
      ...resolved(env, "env", entry, place),
      NIMLET_WORKSPACE: place.workspace,
    }),
    variables: Object.keys(env),
    secrets: () => [
      ...secretsOf(command),
      ...command.filter((word, index) => Array.isArray(written) && written[index] !== word),
      ...secretValues(env, resolved(env, "env", entry, place), entry.written?.env),
    ],
    keptVariables: entry.scope === "project"
      ? []
      : [...Object.keys(env), ...inherited === true ? [] : inherited],
  };
}

/** Names of headers that the protocol sets itself. */
const ownHeaders = /^(?:host|accept|content-.*|mcp-.*)$/i;

function addressOf(
  entry: McpEntry,
  values: McpServerValues,
  place: ServerPlace,
): McpAddress | string {
  const url = URL.parse(values.url!)!;
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    return "url: expected an address without user name, password and fragment; use headers or bearer_token";
  }
  const unused = ["env", "inherit_env", "cwd"].find((key) => key in values);
  if (unused !== undefined) return `${unused}: is for servers with a command`;
  const { headers = {}, bearer_token: token, bearer_command: tokenCommand } = values;
  const own = Object.keys(headers).find((name) => ownHeaders.test(name));
  if (own !== undefined) return `headers.${own}: is set by the protocol itself`;
  if (token !== undefined && tokenCommand !== undefined) {
    return "expected either bearer_token or bearer_command";
  }
  const hasToken = token !== undefined || tokenCommand !== undefined;
  if (hasToken && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) {
    return "headers.Authorization: is what bearer_token and bearer_command give";
  }
  const writtenHeaders = isJsonObject(entry.written?.headers) ? entry.written.headers : headers;
  const hasSecret = hasToken ||
    Object.entries(headers).some(([name, text]) =>
      isSecretName(name) || text.trim().startsWith("{") || writtenHeaders[name] !== text
    );
  if (url.protocol === "http:" && hasSecret && !isLoopback(url.hostname)) {
    return "url: expected https, as a secret is sent there";
  }
  return {
    kind: "http",
    url: url.href,
    shown: shownAddress(entry, url),
    headers: () => resolved(headers, "headers", entry, place),
    headerNames: Object.keys(headers),
    secrets: () => [
      ...secretValues(headers, resolved(headers, "headers", entry, place), entry.written?.headers),
      ...[...url.searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value),
    ],
    ...token === undefined
      ? {}
      : { bearerToken: () => resolved({ token }, "bearer_token", entry, place).token!.trim() },
    ...tokenCommand === undefined ? {} : {
      bearerCommand: {
        command: tokenCommand,
        folder: folderOf(entry, place),
        env: () => withoutKeys(place).all(),
      },
    },
  };
}

/** What may be shown of an address: what was filled in may be secret. */
function shownAddress({ written }: McpEntry, url: URL): string {
  return typeof written?.url === "string" && written.url.includes("${")
    ? written.url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//")
    : publicAddress(url.href);
}

/** Values that are named like secrets, or that the file refers to instead of holding them. */
function secretValues(
  texts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
  written: Json | undefined,
): string[] {
  const before = isJsonObject(written) ? written : texts;
  return Object.entries(values)
    .filter(([name, value]) => isSecretName(name) || before[name] !== value)
    .map(([, value]) => value);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(host);
}

function folderOf({ file, form }: McpEntry, { workspace, env }: ServerPlace): string {
  return form === "shared"
    ? workspace
    : file.includes("/") || file.includes("\\")
    ? dirname(file)
    : env.cwd;
}

/** Values with their references followed; a project's do not lead to keys of providers. */
function resolved(
  texts: Readonly<Record<string, string>>,
  key: string,
  entry: McpEntry,
  place: ServerPlace,
): Record<string, string> {
  if (entry.form === "shared") return { ...texts };
  const env = entry.scope === "user" ? place.env : withoutKeys(place);
  const file = join(folderOf(entry, place), "config.json");
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const where = `mcp.servers.${entry.name}.${key}${key === "bearer_token" ? "" : `.${name}`}`;
      return [name, resolveSecret(text, { key: where, from: file, folder: dirname(file), env })];
    }),
  );
}

/** The environment in which the keys of providers are not set. */
export function withoutKeys({ env, hiddenVariables }: ServerPlace): Environment {
  const hidden = new Set<string>([...keyVariables, ...hiddenVariables]);
  return {
    get: (name) => hidden.has(name) ? undefined : env.get(name),
    all: () => Object.fromEntries(Object.entries(env.all()).filter(([name]) => !hidden.has(name))),
    home: env.home,
    cwd: env.cwd,
  };
}
