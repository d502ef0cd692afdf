/** Reads first bytes and lists inside a folder, which no swapped link can take from elsewhere. */
import * as fs from "node:fs";
import type { FileBounds } from "../../core/file_bounds.ts";
import { ToolFailure } from "../../core/failure.ts";
import { type FileHead, type FolderList, listFolder } from "../folders.ts";
import type { PathProblem } from "../path_problem.ts";
import { ownFolderOf } from "../same_place.ts";
import { openInside } from "./open_file.ts";
import { errorCode } from "./os_error.ts";
import { parsePath } from "./path_rule.ts";
import { enter, fromFolder } from "./real_walk.ts";

export interface OwnedHead extends FileHead {
  /** Number of the file's owner. */
  readonly uid: number;
}

/**
 * The first `maxBytes` bytes of the regular file at `path`, relative to the workspace of `bounds`.
 * Never waits, and never throws for what the disk holds.
 */
export function readHeadInside(
  bounds: FileBounds,
  path: string,
  maxBytes: number,
): OwnedHead | PathProblem {
  try {
    const file = openInside({ fs }, bounds, path);
    try {
      const { sizeBytes, uid } = file.stat;
      const bytes = new Uint8Array(Math.min(maxBytes, sizeBytes));
      let done = 0;
      while (done < bytes.length) {
        const count = fs.readSync(file.fd, bytes, done, bytes.length - done, done);
        if (count === 0) break;
        done += count;
      }
      return { kind: "head", bytes: bytes.subarray(0, done), size: sizeBytes, uid };
    } finally {
      fs.closeSync(file.fd);
    }
  } catch (error) {
    return problemOf(error);
  }
}

/** The entries of the folder at `path`, at most `maxEntries` of them. */
export function listInside(
  bounds: FileBounds,
  path: string,
  maxEntries: number,
): FolderList | PathProblem {
  try {
    return fromFolder(bounds.workspace, (root) => {
      const walk = { root, own: ownFolderOf(bounds), path, links: 0, made: [] };
      enter(walk, parsePath(path, bounds.workspace).segments, false);
      return listFolder(".", maxEntries);
    });
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): PathProblem {
  if (error instanceof ToolFailure && error.code === "not_found") return { kind: "missing" };
  if (error instanceof ToolFailure && error.code === "outside_workspace") {
    const own = error.message.includes("(");
    return { kind: "unreadable", reason: own ? "lies in nimlet's own folder" : "leads outside" };
  }
  const code = errorCode(error instanceof ToolFailure ? error.cause : error);
  if (code === "EACCES" || code === "EPERM") {
    return { kind: "unreadable", reason: "may not be read" };
  }
  if (!(error instanceof ToolFailure) && code === undefined) throw error;
  return { kind: "unreadable", reason: "could not be read as it was found" };
}
