/** Opening a file of the workspace: never a link, never anything that could block. */
import { ToolFailure } from "../../core/failure.ts";
import type { FileBounds } from "../../core/file_bounds.ts";
import { nearest } from "../../lib/nearest.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { kindOf, notAFile } from "./file_kind.ts";
import type { NodeFiles } from "./node_files.ts";
import { errorCode, osFailure } from "./os_error.ts";
import { atPlace, type Place } from "./place.ts";
import { smallFolderEntries } from "./small_folder.ts";

export interface FileStat {
  readonly sizeBytes: number;
  /** Permission bits, set-id and sticky bits included. */
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  /** Changes whenever the file is replaced or written: device, inode, size and times. */
  readonly fingerprint: string;
  /** The same without what a rename changes. */
  readonly content: string;
  /** Device and inode. */
  readonly identity: string;
}

export interface OpenFile {
  readonly fd: number;
  readonly stat: FileStat;
}

export interface FoundFile extends OpenFile {
  readonly place: Place;
}

/** All that opening a file takes. */
type Opener = Pick<NodeFiles, "fs">;

/** Opens the regular file at `path` for reading; the caller closes `fd`. Throws `ToolFailure`. */
export function openInside(node: Opener, bounds: FileBounds, path: string): FoundFile {
  return atPlace(bounds, path, {}, (place) => ({ ...openAt(node, place, path), place }));
}

/** Opens the regular file of `place`; to be called only where the process stands in its folder. */
export function openAt(node: Opener, place: Place, path: string): OpenFile {
  if (place.info === undefined) throw notFound(place, path);
  if (!place.info.isFile) throw notAFile(path, kindOf(place.info));
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = node.fs.constants;
  let fd: number;
  try {
    fd = node.fs.openSync(place.name, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    // It was no link a moment ago.
    if (errorCode(error) === "ELOOP") throw changedMeanwhile(path);
    throw osFailure(error, path, "read");
  }
  try {
    if (!node.fs.fstatSync(fd).isFile()) throw changedMeanwhile(path);
    return { fd, stat: statOf(node, fd) };
  } catch (error) {
    node.fs.closeSync(fd);
    throw osFailure(error, path, "read");
  }
}

export function statOf(node: Opener, fd: number): FileStat {
  const stat = node.fs.fstatSync(fd, { bigint: true });
  return {
    sizeBytes: Number(stat.size),
    mode: Number(stat.mode) & 0o7777,
    links: Number(stat.nlink),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    identity: `${stat.dev}-${stat.ino}`,
    content: [stat.dev, stat.ino, stat.size, stat.mtimeNs].join("-"),
    fingerprint: [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join("-"),
  };
}

/** All bytes of an open file, at most `maxBytes`; undefined where it holds more. */
export function readAll(node: Opener, file: OpenFile, maxBytes: number): Uint8Array | undefined {
  if (file.stat.sizeBytes > maxBytes) return undefined;
  // One byte more than the size shows the end without growing; files of /proc say 0 and hold more.
  let buffer = new Uint8Array(Math.min(Math.max(file.stat.sizeBytes + 1, 4096), maxBytes + 1));
  let length = 0;
  for (;;) {
    const count = node.fs.readSync(file.fd, buffer, length, buffer.length - length, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > maxBytes) return undefined;
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(buffer.length * 2, maxBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
  }
}

function notFound(place: Place, path: string): ToolFailure {
  if (place.throughLink) {
    return new ToolFailure(
      "not_found",
      `not found: ${shownPath(path)} is a link to ${shownPath(place.realPath)}, which is missing`,
    );
  }
  const names = smallFolderEntries().map((entry) => entry.name);
  const name = place.path.slice(place.path.lastIndexOf("/") + 1);
  const guess = nearest(name, names);
  const hint = guess === undefined
    ? ""
    : `; did you mean ${shownPath(place.path.slice(0, place.path.length - name.length) + guess)}?`;
  return new ToolFailure("not_found", `not found: ${shownPath(path)}${hint}`);
}

function changedMeanwhile(path: string): ToolFailure {
  return new ToolFailure("io_error", `changed while it was opened: ${shownPath(path)}; try again`);
}
