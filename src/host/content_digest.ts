/** Short names for content: one digest over files and folders, bounded in time and memory. */
import { hash } from "node:crypto";
import { type FolderEntry, kindAt, listFolder } from "./folders.ts";
import { readUpTo } from "./read_up_to.ts";

export interface ContentRecord {
  /** Takes a file, a folder with all in it, or what a link leads to into the digest. */
  add(path: string): void;
  /** True once something was too much to be read, so that it counts by its times and length. */
  readonly cut: boolean;
  /** SHA-256 in hexadecimal, of all that was added; ends the record. */
  digest(): string;
}

/** What packages and tools put beside a program; too much of it to be read at every start. */
const leftOut = new Set(["node_modules", "__pycache__", ".git", ".venv", "venv"]);

const maxEntries = 500;
const maxDepth = 8;
/** Of a larger file its start of this size counts, its length, and when it was changed. */
const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/**
 * Starts a digest over names, kinds and content. Folders are descended into; of a link both where
 * it points to and the content it leads to count. Nothing but regular files is opened. What lies
 * beyond 500 entries or 64 MiB counts by its length and the times of its last changes.
 * `seen` gets the content of each file, by its path within what was added.
 */
export function contentRecord(
  seen: (name: string, bytes: Uint8Array) => void = () => {},
): ContentRecord {
  let text = "";
  let entries = maxEntries, bytesLeft = maxTotalBytes, cut = false;
  /** NUL is in no name, so no two lists of lines read alike. */
  const line = (kind: string, name: string, more = "") => {
    text += `${kind}\0${name}\0${more}\0\n`;
  };

  function addEntry(
    path: string,
    name: string,
    kind: FolderEntry["kind"] | "missing",
    depth: number,
  ): void {
    if (entries-- <= 0) return addBeyond(path, name);
    switch (kind) {
      case "link":
        line("link", name, linkTarget(path));
        return addFile(path, name, depth);
      case "file":
        return addFile(path, name, depth);
      case "folder":
        line("folder", name);
        return addFolder(path, name, depth);
      case "other":
      case "missing":
        return line(kind, name);
    }
  }

  function addFolder(path: string, name: string, depth: number): void {
    if (depth >= maxDepth) return addBeyond(path, name);
    const list = listFolder(path, maxEntries);
    if (list.kind !== "list") return line(list.kind, name);
    if (list.more) addBeyond(path, name);
    for (const entry of list.entries) {
      if (leftOut.has(entry.name)) continue;
      const inner = name === "" ? entry.name : `${name}/${entry.name}`;
      addEntry(`${path}/${entry.name}`, inner, entry.kind, depth + 1);
    }
  }

  function addFile(path: string, name: string, depth: number): void {
    try {
      const info = Deno.statSync(path);
      // A tool's folder may be a link to one; further inside links to folders only say where to.
      if (info.isDirectory && depth === 0) return addFolder(path, name, depth);
      if (!info.isFile) return line("no file", name);
      if (info.size > Math.min(maxFileBytes, bytesLeft)) addBeyond(path, name);
      const wanted = Math.min(info.size, maxFileBytes, Math.max(bytesLeft, 0));
      const bytes = wanted === info.size ? Deno.readFileSync(path) : readStart(path, wanted);
      bytesLeft -= bytes.length;
      line("file", name, `${bytes.length} ${hash("sha256", bytes, "hex")}`);
      seen(name, bytes);
    } catch (error) {
      line(error instanceof Error ? error.name : "unreadable", name);
    }
  }

  function addBeyond(path: string, name: string): void {
    cut = true;
    line("cut", name, lastChange(path));
  }

  return {
    add: (path) => addEntry(path, "", kindAt(path), 0),
    get cut() {
      return cut;
    },
    digest: () => hash("sha256", text, "hex"),
  };
}

function readStart(path: string, wantedBytes: number): Uint8Array {
  using file = Deno.openSync(path);
  return readUpTo(file, wantedBytes);
}

/** Length and times, which no change of the content leaves as they were. */
function lastChange(path: string): string {
  try {
    const { size, mtime, ctime, ino } = Deno.statSync(path);
    return [size, mtime?.getTime(), ctime?.getTime(), ino].join(" ");
  } catch (error) {
    return error instanceof Error ? error.name : "";
  }
}

function linkTarget(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch (error) {
    // gone since it was listed
    return error instanceof Error ? error.name : "";
  }
}
