/**
 * Writes a file of the workspace: whole or not at all, whatever ends the program or fills the
 * disk. The bytes go to a temporary file beside the target, which then takes the target's name.
 */
import { join } from "node:path";
import { ToolFailure } from "../../core/failure.ts";
import type { FileBounds } from "../../core/file_bounds.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { kindOf, notAFile } from "./file_kind.ts";
import type { NodeFiles } from "./node_files.ts";
import { type FileStat, openAt, type OpenFile, readAll, statOf } from "./open_file.ts";
import { errorCode, osFailure } from "./os_error.ts";
import { isHome, notExpanded } from "./path_rule.ts";
import { atPlace, type Place } from "./place.ts";
import { swapIn } from "./swap_in.ts";
import { assertPermitted } from "./trusted_part.ts";
import { newTempName, removeStaleTemps } from "./temp_files.ts";
import { maxHashedBytes } from "./version.ts";
import { whileLocked } from "./write_lock.ts";

export interface WriteRequest {
  readonly bounds: FileBounds;
  /** See `ToolContext`: a change of a trusted part must be the one that was permitted. */
  readonly permittedKey?: string | undefined;
  /** Workspace-relative. */
  readonly path: string;
  /** create: never replaces anything · update: needs a file · replace: takes either */
  readonly existing: "create" | "update" | "replace";
  /**
   * Gives the bytes to write. `current` is the open file that is there, undefined where none is;
   * `old` is what it holds, undefined also where that is more than `maxHashedBytes`.
   * Runs synchronously just before the write; what it throws ends the write.
   */
  content(current: OpenFile | undefined, old: Uint8Array | undefined): Uint8Array;
}

export interface WriteOutcome {
  readonly place: Place;
  /** The file that was replaced. */
  readonly replaced?: FileStat;
  /** The file that is there now. */
  readonly written: FileStat;
  /** True where another program has the replaced file open for writing. */
  readonly openElsewhere: boolean;
  /** What of the replaced file could not be kept. */
  readonly lost: readonly ("owner" | "mode")[];
}

/** Writes one file. Throws `ToolFailure`; then the target is what it was and no temporary file stays. */
export function writeInside(node: NodeFiles, request: WriteRequest): WriteOutcome {
  const { bounds, path, existing } = request;
  return atPlace(bounds, path, { makeFolders: existing !== "update" }, (place) => {
    if (bounds.sandbox?.protects(join(bounds.workspace, place.realPath))) {
      throw new ToolFailure("read_only", `path is protected by the sandbox: ${shownPath(path)}`);
    }
    assertPermitted(existing === "update" ? "edit" : "write", request, place);
    if (place.info === undefined && existing !== "update") {
      if (place.throughLink) throw leadsNowhere(path, place);
      const made = create(node, request, place);
      if (made !== undefined) return made;
      place = { ...place, info: Deno.lstatSync(place.name) };
    }
    if (place.info !== undefined && !place.info.isFile) throw notAFile(path, kindOf(place.info));
    if (existing === "create") throw alreadyExists(path, place);
    return whileLocked(node, place.name, path, () => replace(node, request, place));
  });
}

/** Makes the file; undefined where somebody else made one of that name first. */
function create(node: NodeFiles, request: WriteRequest, place: Place): WriteOutcome | undefined {
  if (isHome(place.name)) throw notExpanded(request.path, place.name);
  const bytes = request.content(undefined, undefined);
  try {
    const written = withTemp(node, request.path, bytes, undefined, (temp): FileStat | void => {
      try {
        // Unlike a rename, a link never takes the place of something that came in between.
        Deno.linkSync(temp, place.name);
        Deno.removeSync(temp);
      } catch (error) {
        if (!lacksHardLinks(error)) throw error;
        const direct = createDirectly(node, place.name, bytes);
        Deno.removeSync(temp);
        return direct;
      }
    });
    return { place, written, openElsewhere: false, lost: [] };
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "already_exists") return undefined;
    throw error;
  }
}

function replace(node: NodeFiles, request: WriteRequest, place: Place): WriteOutcome {
  const current = openAt(node, place, request.path);
  try {
    assertWritable(node, request.path, place, current.stat);
    const old = readAll(node, current, maxHashedBytes);
    const bytes = request.content(current, old);
    let lost: WriteOutcome["lost"] = [], openElsewhere = false;
    const written = withTemp(node, request.path, bytes, (fd) => {
      lost = keepOwnerAndMode(node, fd, current.stat);
    }, (temp, fd) => {
      const seen = { file: current, bytes: old };
      const { name } = place;
      ({ openElsewhere } = swapIn(node, { temp, name, path: request.path, seen, fd, bytes }));
    });
    return { place, replaced: current.stat, written, openElsewhere, lost };
  } finally {
    node.fs.closeSync(current.fd);
  }
}

/** Writes a temporary file in this folder, lets `finish` give it its name, and leaves none behind. */
function withTemp(
  node: NodeFiles,
  path: string,
  bytes: Uint8Array,
  prepare: ((fd: number) => void) | undefined,
  finish: (temp: string, fd: number) => FileStat | void,
): FileStat {
  removeStaleTemps();
  const temp = newTempName();
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = node.fs.constants;
  try {
    // A new file gets the modes that the user's umask leaves; a replacement stays private until done.
    const mode = prepare === undefined ? 0o666 : 0o600;
    const fd = node.fs.openSync(temp, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode);
    try {
      writeAll(node, fd, bytes);
      prepare?.(fd);
      sync(node, fd);
      return finish(temp, fd) ?? statOf(node, fd);
    } finally {
      node.fs.closeSync(fd);
    }
  } catch (error) {
    removeTemp(temp);
    throw osFailure(error, path, "write");
  }
}

function writeAll(node: NodeFiles, fd: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) {
    offset += node.fs.writeSync(fd, bytes, offset, bytes.length - offset);
  }
}

/** Bytes on the disk before the name moves, so that a crash leaves the old file or the new one. */
function sync(node: NodeFiles, fd: number): void {
  try {
    node.fs.fsyncSync(fd);
  } catch (error) {
    // Some network file systems know no such call.
    if (!["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(errorCode(error) ?? "")) {
      throw error;
    }
  }
}

/** Gives the new file the owner and mode of the old; what the system does not allow is reported. */
function keepOwnerAndMode(node: NodeFiles, fd: number, old: FileStat): WriteOutcome["lost"] {
  const attempt = (change: () => void) => {
    try {
      change();
    } catch {
      // Only root gives files away, and some file systems have one owner or mode for all.
    }
  };
  const isOwned = ({ uid, gid }: FileStat) => uid === old.uid && gid === old.gid;
  if (!isOwned(statOf(node, fd))) attempt(() => node.fs.fchownSync(fd, old.uid, old.gid));
  const ownerKept = isOwned(statOf(node, fd));
  // Set-id bits belong to the old owner alone.
  const mode = ownerKept ? old.mode : old.mode & 0o777;
  attempt(() => node.fs.fchmodSync(fd, mode));
  const lost: ("owner" | "mode")[] = ownerKept ? [] : ["owner"];
  if (statOf(node, fd).mode !== mode) lost.push("mode");
  return lost;
}

/** A rename would go around a file's mode, so what the mode forbids is refused here. */
function assertWritable(node: NodeFiles, path: string, place: Place, stat: FileStat): void {
  if ((stat.mode & 0o222) === 0) throw readOnly(path, stat);
  const { O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = node.fs.constants;
  try {
    const flags = O_WRONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
    node.fs.closeSync(node.fs.openSync(place.name, flags));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ETXTBSY") return; // A running program can be replaced, not written.
    if (code === "EACCES" || code === "EPERM") throw readOnly(path, stat);
    throw osFailure(error, path, "write");
  }
}

/** For file systems without hard links: still never replaces, but a kill can leave a part. */
function createDirectly(node: NodeFiles, name: string, bytes: Uint8Array): FileStat {
  const { O_WRONLY, O_CREAT, O_EXCL } = node.fs.constants;
  const fd = node.fs.openSync(name, O_WRONLY | O_CREAT | O_EXCL, 0o666);
  try {
    writeAll(node, fd, bytes);
    sync(node, fd);
    return statOf(node, fd);
  } catch (error) {
    removeTemp(name);
    throw error;
  } finally {
    node.fs.closeSync(fd);
  }
}

function lacksHardLinks(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(error) ?? "");
}

function removeTemp(temp: string): void {
  try {
    Deno.removeSync(temp);
  } catch {
    // It was never made, or already has its final name.
  }
}

function alreadyExists(path: string, place: Place): ToolFailure {
  const empty = place.info?.size === 0 ? " (an empty file)" : "";
  return new ToolFailure(
    "already_exists",
    `already exists: ${shownPath(path)}${empty}; set overwrite to true to replace it, ` +
      "or use edit to change a part of it",
  );
}

/** What a link means that has lost its file is for a person to say. */
function leadsNowhere(path: string, place: Place): ToolFailure {
  return new ToolFailure(
    "not_found",
    `leads nowhere: ${shownPath(path)} is a link to ${
      shownPath(place.realPath)
    }, which is missing; ` +
      "nothing is made through it: name the path it leads to",
  );
}

function readOnly(path: string, stat: FileStat): ToolFailure {
  const mode = stat.mode.toString(8).padStart(4, "0");
  const reason = (stat.mode & 0o222) === 0
    ? "which does not let it be written; change the mode first if it is meant to change"
    : `and belongs to user ${stat.uid}; this user may not write it`;
  return new ToolFailure("read_only", `read-only: ${shownPath(path)} has mode ${mode}, ${reason}`);
}
