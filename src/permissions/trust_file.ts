/** `trust.json`: which folders are trusted or refused, and what trust was given for. */
import { join } from "node:path";
import { messageOf } from "../core/failure.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readStateFile, writeStateFile } from "../host/state_files.ts";

export interface TrustEntry {
  readonly trusted: boolean;
  /** Digests of what was there when trust was given, by the part's name. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface TrustFile {
  /** By real path. */
  readonly folders: ReadonlyMap<string, TrustEntry>;
  /** What keeps the file from counting, in one sentence. */
  readonly warning?: string;
}

/** What keeps an answer from being remembered, in one sentence. */
export class TrustError extends Error {
  override readonly name = "TrustError";
}

const maxFileBytes = 4 * 1024 * 1024;

/** A file that cannot be read trusts nobody. */
export function readTrustFile(nimletHome: string): TrustFile {
  const read = readRaw(nimletHome);
  if ("warning" in read) return { folders: new Map(), warning: read.warning };
  const folders = new Map<string, TrustEntry>();
  if (isJsonObject(read.raw.folders)) {
    for (const [path, entry] of Object.entries(read.raw.folders)) {
      if (!isJsonObject(entry) || typeof entry.trusted !== "boolean") continue;
      folders.set(path, { trusted: entry.trusted, parts: textsOf(entry.parts) });
    }
  }
  return { folders };
}

/**
 * Sets the entry of one folder and keeps all else. A file that cannot be read is put
 * aside first. Throws `TrustError`.
 */
export async function writeTrustEntry(
  nimletHome: string,
  folder: string,
  entry: TrustEntry,
): Promise<void> {
  const path = trustPath(nimletHome);
  try {
    const read = readRaw(nimletHome);
    if ("warning" in read && read.text !== undefined) {
      await writeStateFile(`${path}.unreadable-${Date.now()}`, read.text);
    } else if ("warning" in read) throw new TrustError(read.warning);
    const raw = "raw" in read ? read.raw : {};
    const others = isJsonObject(raw.folders) ? raw.folders : {};
    const own = { trusted: entry.trusted, parts: { ...entry.parts } };
    const folders = { ...others, [folder]: own };
    await writeStateFile(path, `${JSON.stringify({ ...raw, folders }, undefined, 2)}\n`);
  } catch (error) {
    if (error instanceof TrustError) throw error;
    throw new TrustError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

function trustPath(nimletHome: string): string {
  return join(nimletHome, "trust.json");
}

/** `text` is there where the file could be read but makes no sense. */
function readRaw(
  nimletHome: string,
): { readonly raw: JsonObject } | { readonly warning: string; readonly text?: string } {
  const path = trustPath(nimletHome);
  const file = readStateFile(path, maxFileBytes);
  if (file.kind === "missing") return { raw: {} };
  if (file.kind === "unreadable") {
    return { warning: `${path} ${file.reason}; no folder counts as trusted` };
  }
  const { text } = file;
  if (text.trim() === "") return { raw: {} };
  try {
    const raw: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (isJsonObject(raw)) return { raw };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { warning: `${path} is not a JSON object; no folder counts as trusted`, text };
}

function textsOf(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
}
