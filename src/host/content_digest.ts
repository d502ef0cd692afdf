/** Owns short names for content: one digest over files and folders, bounded in time and memory. */
import { join } from "node:path";
import { type FolderEntry, kindAt, listFolder, readHead } from "./folders.ts";

/** What packages and tools put beside a program; too much of it to be read at every start. */
const leftOut = new Set(["node_modules", "__pycache__", ".git", ".venv", "venv"]);

const maxEntries = 500;
const maxDepth = 8;
/** Of a larger file its start of this size counts, and its length. */
const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/**
 * A SHA-256 over names, kinds and content of `paths`, in hexadecimal. Folders are descended into;
 * of a link both where it points to and the content of the file it leads to count. Nothing but
 * regular files is opened. Beyond 500 entries or 64 MiB only names and lengths count.
 */
export async function contentDigest(paths: readonly string[]): Promise<string> {
  const record: DigestRecord = { chunks: [], room: { entries: maxEntries, bytes: maxTotalBytes } };
  for (const path of paths) await addPath(record, path, "", kindAt(path), 0);
  return await sha256(joined(record.chunks));
}

interface DigestRecord {
  readonly chunks: Uint8Array[];
  readonly room: { entries: number; bytes: number };
}

async function addPath(
  record: DigestRecord,
  path: string,
  name: string,
  kind: FolderEntry["kind"] | "missing",
  depth: number,
): Promise<void> {
  if (record.room.entries-- <= 0) return addLine(record, "cut", name);
  switch (kind) {
    case "link":
      addLine(record, "link", name, linkTarget(path));
      return await addFile(record, path, name);
    case "file":
      return await addFile(record, path, name);
    case "folder":
      addLine(record, "folder", name);
      return await addFolder(record, path, name, depth);
    case "other":
    case "missing":
      return addLine(record, kind, name);
  }
}

async function addFolder(
  record: DigestRecord,
  path: string,
  name: string,
  depth: number,
): Promise<void> {
  if (depth >= maxDepth) return addLine(record, "deep", name);
  const list = listFolder(path, maxEntries);
  if (list.kind !== "list") return addLine(record, list.kind, name);
  if (list.more) addLine(record, "more", name);
  for (const entry of list.entries) {
    if (leftOut.has(entry.name)) continue;
    await addPath(
      record,
      join(path, entry.name),
      name === "" ? entry.name : `${name}/${entry.name}`,
      entry.kind,
      depth + 1,
    );
  }
}

async function addFile(record: DigestRecord, path: string, name: string): Promise<void> {
  const head = readHead(path, Math.min(maxFileBytes, Math.max(0, record.room.bytes)));
  if (head.kind !== "head") return addLine(record, head.kind, name);
  record.room.bytes -= head.bytes.length;
  addLine(record, "file", name, String(head.size));
  record.chunks.push(
    head.bytes.length > 1024 * 1024 ? encoder.encode(await sha256(head.bytes)) : head.bytes,
  );
}

const encoder = new TextEncoder();

/** NUL is in no name, so no two lists of lines read alike. */
function addLine(record: DigestRecord, ...fields: string[]): void {
  record.chunks.push(encoder.encode(`${fields.join("\0")}\0\n`));
}

function linkTarget(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch (error) {
    // gone since it was listed
    return error instanceof Error ? error.name : "";
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
