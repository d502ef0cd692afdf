/** Adds what the command line and the environment say to the settings. */
import { RunFailure } from "../core/failure.ts";
import type { Environment } from "../core/host.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../core/json.ts";
import { checkConfig, checkValue, describe } from "./check.ts";
import { nearest } from "../lib/nearest.ts";
import { resolvePath } from "./home.ts";
import { isHookPath } from "./hook_sources.ts";
import { commandLine, isServerPath, type McpEntries } from "./mcp_entries.ts";
import { mergeAt, type SettingSource, type SettingSources } from "./merge.ts";
import { type Setting, type SettingKey, settingTable } from "./settings.ts";

interface Given {
  readonly env: Environment;
  readonly providerNames?: readonly string[];
}

/** Values by key; undefined ones are ignored. */
export function addFlags(
  flags: Readonly<Record<string, unknown>> | undefined,
  tree: JsonObject,
  sources: SettingSources,
): void {
  for (const [key, value] of Object.entries(flags ?? {})) {
    if (value !== undefined) {
      mergeAt(tree, key.split("."), value as Json, { scope: "flag" }, sources);
    }
  }
}

/** One `--set KEY=VALUE`; a value that is JSON counts as such. */
export function addSet(
  text: string,
  options: Given,
  tree: JsonObject,
  sources: SettingSources,
  servers: McpEntries,
): void {
  const at = text.indexOf("=");
  const key = text.slice(0, at).trim(), value = text.slice(at + 1);
  const usage = (problem: string) => new RunFailure("usage", `--set ${problem}`);
  if (at < 1) {
    throw usage(`${JSON.stringify(text)}: expected KEY=VALUE, as agent.max_steps=20`);
  }
  const names = [...options.providerNames ?? [], ...ownProviders(tree)];
  const checkedAs = (given: Json) => {
    const root: JsonObject = {};
    mergeAt(root, key.split("."), given, { scope: "flag" }, new Map());
    return checkConfig(root, names);
  };
  const parsed = parseJson(value) ?? value, asValue = checkedAs(parsed);
  // a model or a key may look like a number
  const asText = asValue.problem === undefined || parsed === value ? asValue : checkedAs(value);
  const { problem, unknown, values } = asText.problem === undefined ? asText : asValue;
  const [first] = unknown;
  if (first !== undefined) {
    const guess = nearest(key, Object.keys(settingTable)) ?? first.guess;
    const path = first.path.join(".");
    throw usage(
      `${key.startsWith(path) ? key : path}: there is no such setting${
        guess ? `; did you mean ${guess}?` : ""
      }`,
    );
  }
  if (problem !== undefined) {
    throw usage(`${key}: expected ${problem.expected}, found ${problem.found}`);
  }
  for (const { path, value } of values) {
    if (isHookPath(path)) throw usage(`${key}: hooks are named in a config.json alone`);
    if (isServerPath(path)) {
      servers.add(path, value, "user", commandLine);
      continue;
    }
    const setting: Setting | undefined = settingTable[path.join(".") as SettingKey];
    const resolved = setting?.kind === "path"
      ? resolvePath(value as string, options.env.cwd, options.env)
      : value;
    mergeAt(tree, path, resolved, { scope: "flag" }, sources);
  }
}

/** Names of the providers that have a protocol of their own in the settings so far. */
function ownProviders({ providers }: JsonObject): string[] {
  if (!isJsonObject(providers)) return [];
  return Object.entries(providers).flatMap(([name, entry]) =>
    isJsonObject(entry) && entry.api !== undefined ? [name] : []
  );
}

export function addEnvironment(env: Environment, tree: JsonObject, sources: SettingSources): void {
  const variable = "NIMLET_THINKING";
  const value = env.get(variable)?.trim();
  if (value === undefined || value === "") return;
  const checked = checkValue(settingTable["agent.thinking"], value);
  if (!("value" in checked)) {
    throw new RunFailure(
      "config",
      `${variable}: expected ${checked.expected}, found ${describe(value)}`,
    );
  }
  const source: SettingSource = { scope: "environment", variable };
  mergeAt(tree, ["agent", "thinking"], checked.value, source, sources);
}
