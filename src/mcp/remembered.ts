/** The remembered lists of tools: one file, a list for each way of starting a server. */
import { isJsonObject, type Json, type JsonObject, parseJson } from "../core/json.ts";
import type { McpServerSettings } from "../core/mcp_server.ts";
import { readOwnFile, writeStateFile } from "../host/state_files.ts";
import { versionOfFile } from "../host/folders.ts";
import { digestOf } from "../core/digest.ts";
import type { KnownServer } from "./tool_list.ts";

const dayMs = 86_400_000;
/** `npx` gives no file to look at, and a server over HTTP changes without a trace here. */
const maxAgeMs = { stdio: 7 * dayMs, http: dayMs };
const maxLists = 64, maxBytes = 4 * 1024 * 1024;
/** A list that is longer leaves no room for others: it is asked for each time. */
const maxListChars = maxBytes / 4;

export interface RememberedLists {
  /** The list of a server, while it counts, and when it was made. */
  get(key: string, kind: keyof typeof maxAgeMs, now: number): RememberedList | undefined;
  /** Keeps a list, and writes all; a disk that does not take it is no error. */
  set(key: string, known: KnownServer, now: number): Promise<void>;
}

export interface RememberedList extends KnownServer {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The lists of `path`; a file that cannot be read, or that others may write, holds none. */
export function rememberedLists(path: string | undefined): RememberedLists {
  const lists = read(path);
  let lastWrite = Promise.resolve();
  return {
    get(key, kind, now) {
      const list = lists.get(key);
      if (list === undefined) return undefined;
      const age = now - list.at;
      return age >= 0 && age < Math.min(maxAgeMs[kind], list.ttlMs ?? Infinity) ? list : undefined;
    },
    async set(key, known, now) {
      if (JSON.stringify(known).length > maxListChars) return void lists.delete(key);
      lists.set(key, { ...known, at: now });
      if (path === undefined) return;
      lastWrite = lastWrite.then(() => write(path, lists)).catch(() => {});
      await lastWrite;
    },
  };
}

/**
 * What a list depends on. Values of variables, headers and queries are left out: neither a secret nor its digest is
 * written to the disk. The name stands for them, as one server may be named twice, with two accounts. Of files
 * among the arguments (`node server.js`) size and time count.
 */
export function listKey(
  { name, reach }: Pick<McpServerSettings, "name" | "reach">,
  version: string,
  executable: string | undefined,
): string {
  if (reach.kind === "http") {
    const { searchParams } = new URL(reach.url);
    const names = [[...searchParams.keys()], [...reach.headerNames].sort()];
    return digestOf([version, name, reach.shown, ...names]);
  }
  const { command, written, cwd, variables } = reach;
  const files = [executable ?? "", ...command.slice(1)].map((word) =>
    versionOfFile(word, cwd) ?? ""
  );
  return digestOf([version, name, [...written], cwd, [...variables].sort(), files]);
}

function read(path: string | undefined): Map<string, RememberedList> {
  const text = path === undefined ? undefined : readOwnFile(path, maxBytes);
  const root = text === undefined ? undefined : parseJson(text);
  const lists = isJsonObject(root) && isJsonObject(root.lists) ? root.lists : {};
  return new Map(
    Object.entries(lists).filter((entry): entry is [string, RememberedList & JsonObject] =>
      isList(entry[1])
    ),
  );
}

/** Nobody else may write the file, so only its form is looked at. */
function isList(value: Json): boolean {
  return isJsonObject(value) && typeof value.at === "number" &&
    typeof value.revision === "string" &&
    typeof value.instructions === "string" && typeof value.server === "string" &&
    Array.isArray(value.warnings) && Array.isArray(value.tools) &&
    value.tools.every((tool) =>
      isJsonObject(tool) && typeof tool.name === "string" && typeof tool.description === "string" &&
      typeof tool.digest === "string" && isJsonObject(tool.inputSchema) &&
      Array.isArray(tool.hints) && Array.isArray(tool.headers)
    );
}

/** What others have written meanwhile stays; the oldest lists go first. */
async function write(path: string, own: ReadonlyMap<string, RememberedList>): Promise<void> {
  const all = read(path);
  for (const [key, list] of own) {
    if (list.at >= (all.get(key)?.at ?? 0)) all.set(key, list);
  }
  const newest = [...all].sort(([, a], [, b]) => b.at - a.at).slice(0, maxLists);
  for (; newest.length > 0; newest.pop()) {
    const text = JSON.stringify({ lists: Object.fromEntries(newest) });
    if (new TextEncoder().encode(text).length <= maxBytes) return await writeStateFile(path, text);
  }
}
