/** Gives content a short name: one digest over files and folders, bounded in time and memory. */
import { hash } from "node:crypto";
import { basename } from "node:path";
import { isInside } from "../lib/path_inside.ts";
import { type FolderEntry, kindAt, listFolder, realOf } from "./folders.ts";
import { readUpTo } from "./read_up_to.ts";
import { fileIdOf } from "./same_place.ts";

export interface ContentRecord {
  /** Takes a file, a folder with all in it, or what a link leads to into the record. */
  add(path: string, name?: string): void;
  /** Takes a line of text into the record. */
  note(text: string): void;
  /** SHA-256 in hexadecimal, of all that was added; always another one where nothing was read. */
  digest(): string;
  /**
   * What changes with every write, as a digest too: device, inode, length and times of the files. Equal
   * for equal content only where none was written shortly before `newestMs` was looked at.
   */
  fingerprint(): string;
  /** When the youngest file was changed last, in milliseconds of the file system's clock. */
  readonly newestMs: number;
}

interface RecordOptions {
  /** Links to folders inside it are followed; elsewhere a link counts by where it leads. */
  readonly within: string;
  /** False where only the fingerprint is wanted: then no file is opened. */
  readonly reads: boolean;
  /** Gets the content of each file, by its path within what was added. */
  readonly seen?: (name: string, bytes: Uint8Array) => void;
}

/** What packages and tools put beside a program; too much of it to be read at every start. */
const leftOut = new Set(["node_modules", "__pycache__", ".git", ".venv", "venv"]);

/** So many entries count by their content, and so many more by their length and times. */
const maxRead = 500;
const maxEntries = 10_000;
/** Of a larger file its start of this size counts, its length, and when it was changed. */
const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/**
 * Starts a record over names, kinds and content. Folders are descended into, but for those that are
 * left out by their names; of a link both where it points to and the content it leads to count.
 * Nothing but regular files is opened. What lies beyond 500 entries or 64 MiB counts by its length and
 * the times of its last changes; beyond 10,000 entries nothing does.
 */
export function contentRecord({ within, reads, seen = () => {} }: RecordOptions): ContentRecord {
  let text = "", facts = "", newestMs = 0;
  let entries = 0, bytesLeft = maxTotalBytes;
  /** Folders gone through, by device and inode: links can lead round in a circle. */
  const visited = new Set<string>();
  const files = new Set<string>();
  /** NUL is in no name, so no two lists of lines read alike. */
  const line = (kind: string, name: string, more = "") => {
    text += `${kind}\0${name}\0${more}\0\n`;
    facts += `${kind}\0${name}\0`;
  };
  const factsOf = (info: Deno.FileInfo) => {
    const changed = info.mtime?.getTime() ?? 0, touched = info.ctime?.getTime() ?? 0;
    newestMs = Math.max(newestMs, changed, touched);
    facts += `${fileIdOf(info)} ${info.size} ${changed} ${touched}\n`;
  };

  function addEntry(path: string, name: string, kind: FolderEntry["kind"] | "missing"): void {
    if (++entries > maxEntries) return;
    switch (kind) {
      case "link": {
        const target = linkTarget(path);
        line("link", name, target);
        facts += `${target}\n`;
        return addTarget(path, name);
      }
      case "file":
        return reads && entries <= maxRead ? addOnce(path, name, addFile) : addTarget(path, name);
      case "folder":
        return addFolder(path, name);
      case "other":
      case "missing":
        return line(kind, name);
    }
  }

  /** What is named twice counts once. */
  function addOnce(path: string, name: string, add: (path: string, name: string) => void): void {
    if (files.has(path)) return;
    files.add(path);
    try {
      add(path, name);
    } catch (error) {
      line(error instanceof Error ? error.name : "unreadable", name);
    }
  }

  /** A folder or file, or what is at the end of a link. */
  function addTarget(path: string, name: string): void {
    addOnce(path, name, () => {
      const info = Deno.statSync(path);
      if (info.isDirectory) {
        const counts = name === "" ||
          !leftOut.has(basename(path)) && isInside(within, realOf(path));
        return counts ? addFolder(path, name) : line("no file", name);
      }
      if (!info.isFile) return line("no file", name);
      if (reads && entries <= maxRead) return addFile(path, name);
      bytesLeft -= wantedOf(info, path, name);
      line("file", name);
      factsOf(info);
    });
  }

  function addFolder(path: string, name: string): void {
    line("folder", name);
    const id = fileIdAtEnd(path);
    if (visited.has(id)) return line("seen", name);
    visited.add(id);
    const list = listFolder(path, maxEntries);
    if (list.kind !== "list") return line(list.kind, name);
    if (list.more) addBeyond(path, name);
    for (const entry of list.entries) {
      if (entry.kind === "folder" && leftOut.has(entry.name)) continue;
      const inner = name === "" ? entry.name : `${name}/${entry.name}`;
      addEntry(`${path}/${entry.name}`, inner, entry.kind);
    }
  }

  /** What counts is the file that was opened, whatever takes its name meanwhile. */
  function addFile(path: string, name: string): void {
    using file = Deno.openSync(path);
    const info = file.statSync();
    if (!info.isFile) return line("no file", name);
    const bytes = readUpTo(file, wantedOf(info, path, name));
    bytesLeft -= bytes.length;
    line("file", name, `${bytes.length} ${hash("sha256", bytes, "hex")}`);
    factsOf(info);
    seen(name, bytes);
  }

  /** How much of a file counts by its content. */
  function wantedOf({ size }: Deno.FileInfo, path: string, name: string): number {
    const most = entries > maxRead ? 0 : Math.min(maxFileBytes, Math.max(bytesLeft, 0));
    if (size > most) addBeyond(path, name);
    return Math.min(size, most);
  }

  function addBeyond(path: string, name: string): void {
    const change = lastChange(path);
    line("cut", name, change);
    facts += `${change}\n`;
  }

  return {
    add: (path, name = "") => addEntry(path, name, kindAt(path)),
    note: (text) => line("note", text),
    digest: () => hash("sha256", reads ? text : crypto.randomUUID(), "hex"),
    fingerprint: () => hash("sha256", facts, "hex"),
    get newestMs() {
      return newestMs;
    },
  };
}

/** Of what `path` leads to. */
function fileIdAtEnd(path: string): string {
  try {
    return fileIdOf(Deno.statSync(path));
  } catch {
    return path; // gone since it was listed
  }
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
