/** Quick looks at folders and files that others keep: lists, links, first bytes. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type PathProblem, pathProblemOf, whatIs } from "./path_problem.ts";
import { readUpTo } from "./read_up_to.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FolderList {
  readonly kind: "list";
  /** Sorted by name in code unit order, so that no result depends on the disk's order. */
  readonly entries: readonly FolderEntry[];
  /** True where the folder holds more than was asked for. */
  readonly more: boolean;
}

export interface PathFacts {
  readonly kind: "file" | "folder" | "other";
  /** What it is, for people: `a pipe`. */
  readonly what: string;
  /** Bytes. */
  readonly size: number;
  /** Owner's number, where the system has one. */
  readonly uid: number | undefined;
}

export interface FileHead {
  readonly kind: "head";
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** The entries of a folder, at most `maxEntries` of them. */
export function listFolder(path: string, maxEntries: number): FolderList | PathProblem {
  try {
    const entries: FolderEntry[] = [];
    let more = false;
    for (const entry of Deno.readDirSync(path)) {
      if (entries.length >= maxEntries) {
        more = true;
        break;
      }
      entries.push({ name: entry.name, kind: entryKind(entry) });
    }
    entries.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    return { kind: "list", entries, more };
  } catch (error) {
    return pathProblemOf(error);
  }
}

/** What is at `path` itself, links not followed. */
export function kindAt(path: string): EntryKind | "missing" {
  try {
    return entryKind(Deno.lstatSync(path));
  } catch {
    return "missing";
  }
}

/** What `path` leads to, through links. */
export function factsOf(path: string): PathFacts | PathProblem {
  try {
    return factsFrom(Deno.statSync(path));
  } catch (error) {
    return pathProblemOf(error);
  }
}

/** What changes with the content of a file at `path`, relative to `folder`; undefined where there is none. */
export function versionOfFile(path: string, folder: string): string | undefined {
  // an option, or a word that is no file: an error for each would take most of the time
  if (path === "" || path.startsWith("-")) return undefined;
  const file = resolve(folder, path);
  if (!existsSync(file)) return undefined;
  try {
    const { isFile, size, mtime, ino } = Deno.statSync(file);
    return isFile ? `${size}:${mtime?.getTime()}:${ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** The path without links, or what keeps it from being found. */
export function resolveLinks(path: string): { kind: "real"; path: string } | PathProblem {
  try {
    return { kind: "real", path: Deno.realPathSync(path) };
  } catch (error) {
    return pathProblemOf(error);
  }
}

/** The path without links; undefined where it cannot be found. */
export function realOrMissing(path: string): string | undefined {
  const real = resolveLinks(path);
  return real.kind === "real" ? real.path : undefined;
}

/** The path without links; as it is where it cannot be found. */
export function realOf(path: string): string {
  const real = resolveLinks(path);
  return real.kind === "real" ? real.path : path;
}

/** True for a folder that is there, through links. */
export function isFolder(path: string): boolean {
  return factsOf(path).kind === "folder";
}

/** True for the number of somebody who is neither root, nor this user, nor in `owners`. */
export function isForeign(uid: number, owners: readonly (number | undefined)[]): boolean {
  return Deno.build.os !== "windows" && uid !== 0 && uid !== Deno.uid() && !owners.includes(uid);
}

/**
 * The first `maxBytes` bytes of a regular file, through links. Pipes, devices and sockets are never
 * opened, so that nothing here waits. Never throws for what the disk holds.
 */
export function readHead(path: string, maxBytes: number): FileHead | PathProblem {
  try {
    const facts = factsFrom(Deno.statSync(path));
    if (facts.kind !== "file") {
      return { kind: "unreadable", reason: `is ${facts.what}, not a file` };
    }
    using file = Deno.openSync(path);
    const bytes = readUpTo(file, Math.min(maxBytes, facts.size));
    return { kind: "head", bytes, size: facts.size };
  } catch (error) {
    return pathProblemOf(error);
  }
}

function entryKind(
  entry: { isFile: boolean; isDirectory: boolean; isSymlink: boolean },
): EntryKind {
  if (entry.isSymlink) return "link";
  if (entry.isDirectory) return "folder";
  return entry.isFile ? "file" : "other";
}

function factsFrom(info: Deno.FileInfo): PathFacts {
  const kind = info.isFile ? "file" : info.isDirectory ? "folder" : "other";
  return { kind, what: whatIs(info), size: info.size, uid: info.uid ?? undefined };
}
