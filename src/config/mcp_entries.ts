/** The servers that settings files name: entries are taken whole, never merged key by key. */
import type { Json, JsonObject } from "../core/json.ts";
import { setKey } from "../lib/set_key.ts";
import { mcpServerTable } from "./mcp_table.ts";
import { mergeAt, type SettingSource, type SettingSources } from "./merge.ts";
import type { Setting } from "./settings.ts";

/** One server as it is written in one place; the values are checked, each for itself. */
export interface McpEntry {
  readonly name: string;
  readonly scope: "user" | "project";
  /** The file, or `command line`. */
  readonly file: string;
  /** `.mcp.json` has forms of its own: `written` are its texts before variables were filled in. */
  readonly form: "config" | "shared";
  readonly values: JsonObject;
  readonly written?: JsonObject;
}

export const serversPath = ["mcp", "servers"] as const;

/** True for the path of a key of a server. */
export function isServerPath(path: readonly string[]): boolean {
  return path.length === 4 && path[0] === serversPath[0] && path[1] === serversPath[1];
}

export interface McpEntries {
  /** Adds a value from a file; what only the person may set is left out of a project's, with a warning. */
  add(path: readonly string[], value: Json, scope: McpEntry["scope"], file: string): void;
  /** What counts so far goes into the tree of settings. */
  finish(tree: JsonObject, sources: SettingSources): readonly McpEntry[];
}

export function mcpEntries(warnings: string[]): McpEntries {
  /** By scope and name; the command line is the person's, and changes single keys of the person's. */
  const entries: McpEntry[] = [];
  return {
    add(path, value, scope, file) {
      const [, , name, key] = path as [string, string, string, keyof typeof mcpServerTable];
      const setting: Setting = mcpServerTable[key];
      if (scope === "project" && setting.isPersonal) {
        warnings.push(
          `${file}: ${path.join(".")}: left out, as only your own config.json may set it`,
        );
        return;
      }
      let entry = entries.find((one) => one.scope === scope && one.name === name);
      if (entry === undefined) {
        entries.push(entry = { name, scope, file, form: "config", values: {} });
      }
      setKey(entry.values, key, value);
    },
    finish(tree, sources) {
      const counting = effectiveEntries(entries, warnings);
      for (const { name, scope, file, values } of counting) {
        const source: SettingSource = file === commandLine ? { scope: "flag" } : { scope, file };
        for (const [key, value] of Object.entries(values)) {
          mergeAt(tree, [...serversPath, name, key], value, source, sources);
        }
      }
      return counting;
    },
  };
}

export const commandLine = "command line";

/** Yours override a project's; of a project the first counts. A project may switch yours off. */
export function effectiveEntries(entries: readonly McpEntry[], warnings: string[]): McpEntry[] {
  const counting = new Map<string, McpEntry>();
  for (const entry of [...entries].sort((a, b) => rankOf(a) - rankOf(b))) {
    const key = entry.name.toLowerCase();
    const before = counting.get(key);
    if (before === undefined) counting.set(key, entry);
    else if (before.scope === "user" && entry.scope === "project" && isSwitchedOff(entry)) {
      counting.set(key, { ...before, values: { ...before.values, enabled: false } });
    } else if (before.values.enabled !== false) {
      warnings.push(
        `${entry.file}: mcp server ${entry.name}: left out, as ${before.file} names one as well`,
      );
    }
  }
  return [...counting.values()];
}

function rankOf({ scope, form }: McpEntry): number {
  return scope === "user" ? 0 : form === "config" ? 1 : 2;
}

function isSwitchedOff({ values }: McpEntry): boolean {
  return values.enabled === false && Object.keys(values).length === 1;
}
