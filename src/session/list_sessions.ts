/** Lists sessions quickly: it looks at the two ends of each file only. */
import { isJsonObject, type JsonObject, parseJson } from "../core/json.ts";
import { type FileEntry, filesOf, readEnds } from "../host/session_files.ts";
import { oneLine } from "../lib/one_line.ts";
import { looksLikeId } from "./session_id.ts";
import { sessionFileNames } from "./session_folder.ts";

export interface SessionSummary {
  readonly id: string;
  readonly path: string;
  readonly workspace: string;
  /** When it was begun, in ISO 8601; empty where the file does not say. */
  readonly created: string;
  /** When it was last written to, in milliseconds since the epoch. */
  readonly updatedMs: number;
  readonly bytes: number;
  readonly name?: string;
  /** The start of the first prompt, in one line. */
  readonly prompt?: string;
}

/** How much of each end of a file is read. */
export const endBytes = 8192;

/**
 * The sessions of `dir`, last used first; those of one workspace only where it is given.
 * Files that do not begin with a session's first line are left out.
 */
export function listSessions(
  dir: string,
  only: { readonly workspace?: string } = {},
): SessionSummary[] {
  return [...summaries(dir)].filter((session) =>
    only.workspace === undefined || session.workspace === only.workspace
  );
}

/** The session of `workspace` that was used last, for `--resume`; undefined where there is none. */
export function latestSession(dir: string, workspace: string): SessionSummary | undefined {
  for (const session of summaries(dir)) {
    if (session.workspace === workspace) return session;
  }
  return undefined;
}

function* summaries(dir: string): Generator<SessionSummary> {
  for (const file of newestFirst(dir)) {
    const session = summarise(dir, file);
    if (session !== undefined) yield session;
  }
}

function newestFirst(dir: string): FileEntry[] {
  return filesOf(dir, sessionFileNames(dir)).sort((a, b) =>
    b.mtimeMs - a.mtimeMs || (a.name < b.name ? 1 : -1)
  );
}

function summarise(dir: string, file: FileEntry): SessionSummary | undefined {
  const path = `${dir}/${file.name}`;
  const ends = readEnds(path, endBytes);
  if (ends === undefined) return undefined;
  const head = decoder.decode(ends.head);
  const first = parse(head.slice(0, (head + "\n").indexOf("\n")));
  if (first?.kind !== "session") return undefined;
  const { id, workspace, created } = first;
  // it is printed, and typed again
  if (typeof id !== "string" || !looksLikeId(id) || typeof workspace !== "string") return undefined;
  const tail = decoder.decode(ends.tail);
  const last = (kind: "name" | "session", key: string) =>
    lastText(tail, kind, key) ?? lastText(head, kind, key);
  const name = last("name", "name");
  const prompt = firstPrompt(head);
  return {
    id,
    path,
    workspace: last("session", "workspace") ?? workspace,
    created: typeof created === "string" ? created : "",
    updatedMs: file.mtimeMs,
    bytes: file.size,
    ...(name === undefined ? {} : { name }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

const decoder = new TextDecoder();

/** The text at `key` of the last record of a kind, the first line left out. */
function lastText(text: string, kind: "name" | "session", key: string): string | undefined {
  // at the start of a line: elsewhere the same letters may be part of a record
  const at = text.lastIndexOf(`\n{"kind":"${kind}"`);
  if (at < 0) return undefined;
  const value = parse(text.slice(at + 1, (text + "\n").indexOf("\n", at + 1)))?.[key];
  return typeof value === "string" ? value : undefined;
}

const maxPromptChars = 200;

/** Also of a record that is longer than what was read. */
function firstPrompt(head: string): string | undefined {
  const at = head.indexOf('\n{"kind":"user"');
  if (at < 0) return undefined;
  const text = /"text":"((?:[^"\\\n]|\\u[0-9a-f]{4}|\\[^u\n])*)/.exec(head.slice(at))?.[1];
  const prompt = text === undefined ? undefined : parseJson(`"${text}"`);
  if (typeof prompt !== "string") return undefined;
  return oneLine(prompt, maxPromptChars);
}

function parse(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
