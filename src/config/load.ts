/** Loads the settings from defaults, files, environment and flags. */
import { dirname, join } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { Environment } from "../core/host.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { realOf } from "../host/folders.ts";
import { shownPath } from "../lib/shown_path.ts";
import { checkConfig, describe } from "./check.ts";
import { resolvePath, userConfigPath } from "./home.ts";
import { type HookSource, hookSourcesOf, isHookPath } from "./hook_sources.ts";
import { type JsonFile, lineOf, readJsonFile } from "./json_file.ts";
import { addEnvironment, addFlags, addSet } from "./given.ts";
import { isServerPath, type McpEntries, mcpEntries, type McpEntry } from "./mcp_entries.ts";
import { mergeAt, type SettingSources, valueAt } from "./merge.ts";
import { type ProjectWish, tighten } from "./tighten.ts";
import {
  type ProviderSettings,
  type Setting,
  type SettingKey,
  type Settings,
  settingTable,
} from "./settings.ts";

export interface ConfigOptions {
  /** nimlet's own folder (`nimletHome`); undefined where there is none. */
  readonly home: string | undefined;
  /** Absolute. */
  readonly workspace: string;
  /** The project's file counts only where this is true. */
  readonly projectTrusted: boolean;
  readonly env: Environment;
  /** What the command line says; overrides everything else. Undefined values are ignored. */
  readonly flags?: { readonly [Key in SettingKey]?: Settings[Key] | undefined };
  /** What a person has chosen since the start: overrides also what a project makes stricter. */
  readonly choices?: { readonly [Key in SettingKey]?: Settings[Key] | undefined };
  /** Names known below `providers`; without them every name is taken. */
  readonly providerNames?: readonly string[];
  /** Settings of the command line as `KEY=VALUE`, in order. */
  readonly set?: readonly string[] | undefined;
}

export interface LoadedConfig {
  readonly settings: Settings;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** The MCP servers of these files. */
  readonly mcpServers: readonly McpEntry[];
  readonly hookSources: readonly HookSource[];
  /** One sentence each. */
  readonly warnings: readonly string[];
  readonly sources: SettingSources;
  readonly files: readonly ConfigFile[];
  /** All values as one tree, for `--show-config`. */
  readonly tree: JsonObject;
}

export interface ConfigFile {
  readonly path: string;
  readonly scope: "user" | "project";
  /** untrusted: there is one, but it does not count. */
  readonly state: "read" | "missing" | "untrusted";
}

/**
 * The settings in effect: defaults, the user's file, a trusted project's file, the environment, flags.
 * Throws `RunFailure("config")` for a file that cannot be read or a value of the wrong type.
 */
export async function loadConfig(options: ConfigOptions): Promise<LoadedConfig> {
  const tree: JsonObject = {}, sources: SettingSources = new Map(), warnings: string[] = [];
  const servers = mcpEntries(warnings);
  const table: Record<string, Setting> = settingTable;
  for (const [key, setting] of Object.entries(table)) {
    if (setting.default === undefined) continue;
    mergeAt(tree, key.split("."), setting.default, { scope: "default" }, sources);
  }

  const files: ConfigFile[] = [], wishes: ProjectWish[] = [];
  const hookSources: HookSource[] = [];
  for (const { path, scope } of configFiles(options)) {
    const trusted = scope === "user" || options.projectTrusted;
    // An untrusted file is not even read; whether there is one is for the trust question to say.
    const file = trusted ? await readJsonFile(path) : undefined;
    files.push({ path, scope, state: !trusted ? "untrusted" : file ? "read" : "missing" });
    if (file === undefined) continue;
    await addFile({ path, scope }, file, options, tree, sources, warnings, wishes, servers);
    hookSources.push(...hookSourcesOf(file.value, path, scope));
  }
  if (options.home === undefined) {
    warnings.push(
      `HOME is ${homeProblem(options.env)}, so no user settings are read and nothing is kept; ` +
        "set HOME or NIMLET_HOME",
    );
  }
  addEnvironment(options.env, tree, sources);
  for (const text of options.set ?? []) addSet(text, options, tree, sources, servers);
  addFlags(options.flags, tree, sources);
  warnings.push(...tighten(wishes, tree, sources));
  addFlags(options.choices, tree, sources);
  const mcpServers = servers.finish(tree, sources);
  const providers = isJsonObject(tree.providers) ? tree.providers : {};
  return {
    settings: Object.fromEntries(
      Object.keys(table).map((key) => [key, valueAt(tree, key.split("."))]),
    ) as unknown as Settings,
    providers: providers as Record<string, ProviderSettings>,
    mcpServers,
    hookSources,
    warnings,
    sources,
    files,
    tree,
  };
}

/** Completes the sentence "HOME is ...". */
function homeProblem(env: ConfigOptions["env"]): string {
  const value = env.get("HOME") ?? "";
  return value === ""
    ? "not set"
    : `${shownPath(value)}, which is not the absolute path of a folder`;
}

/** In the order of merging. A workspace that holds nimlet's own folder has no file of its own. */
function configFiles(options: ConfigOptions): { path: string; scope: "user" | "project" }[] {
  const project = {
    path: join(options.workspace, ".nimlet", "config.json"),
    scope: "project",
  } as const;
  if (options.home === undefined) return [project];
  const user = { path: userConfigPath(options.home), scope: "user" } as const;
  return realOf(options.home) === realOf(dirname(project.path)) ? [user] : [user, project];
}

/** Told of one file: each of them costs a look through it. */
const maxUnknownKeys = 20;

async function addFile(
  { path: file, scope }: { path: string; scope: "user" | "project" },
  { value, text }: JsonFile,
  options: ConfigOptions,
  tree: JsonObject,
  sources: SettingSources,
  warnings: string[],
  wishes: ProjectWish[],
  servers: McpEntries,
): Promise<void> {
  const checked = checkConfig(value, options.providerNames ?? []);
  if (checked.problem !== undefined) {
    const { path, expected, found } = checked.problem;
    const line = await lineOf(text, path);
    throw new RunFailure(
      "config",
      `${file}: ${path.join(".")}: expected ${expected}, found ${found}` +
        (line === undefined ? "" : ` (line ${line})`),
    );
  }
  for (const { path, guess } of checked.unknown.slice(0, maxUnknownKeys)) {
    const line = await lineOf(text, path);
    const name = path.join(".");
    warnings.push(
      `${file}${line === undefined ? "" : `:${line}`}: unknown key ${name}` +
        (guess === undefined
          ? ""
          : guess === name
          ? "; write it as an object within an object"
          : `; did you mean ${guess}?`),
    );
  }
  const more = checked.unknown.length - maxUnknownKeys;
  if (more > 0) warnings.push(`${file}: ${more} more unknown keys`);
  for (const { path, value } of checked.values) {
    if (isServerPath(path)) {
      servers.add(path, value, scope, file);
      continue;
    }
    if (isHookPath(path)) continue;
    const setting: Setting | undefined = settingTable[path.join(".") as SettingKey];
    if (scope === "project" && setting?.isPersonal) {
      warnings.push(
        `${file}: ${path.join(".")}: left out, as only your own config.json may set it`,
      );
      continue;
    }
    if (scope === "project" && setting?.isTightened) {
      wishes.push({ path, value, file });
      continue;
    }
    if (
      scope === "project" && setting?.projectValue !== undefined && value !== setting.projectValue
    ) {
      if (value === valueAt(tree, path)) continue;
      warnings.push(
        `${file}: ${path.join(".")}: a project may only set ${describe(setting.projectValue)}, so ${
          describe(value)
        } is left out; set it in your own config.json`,
      );
      continue;
    }
    const resolved = setting?.kind === "path"
      ? resolvePath(value as string, dirname(file), options.env)
      : value;
    mergeAt(tree, path, resolved, { scope, file }, sources);
  }
}
