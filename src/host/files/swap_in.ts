/**
 * Puts a new file in the place of an old one. Between the reading of the old one and that moment
 * another program may write to it, or put a file of its own there: what it wrote is found.
 */
import { ToolFailure } from "../../core/failure.ts";
import { blockFor } from "../block.ts";
import { type LibraryCalls, openLibraryCalls } from "./library_calls.ts";
import type { NodeFiles } from "./node_files.ts";
import { type OpenFile, readAll, statOf } from "./open_file.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { newTempName } from "./temp_files.ts";

/** What is to be replaced, as it was read. */
export interface Seen {
  readonly file: OpenFile;
  /** Undefined for a file too large to hold. */
  readonly bytes: Uint8Array | undefined;
}

export interface SwapRequest {
  /** Of the current folder: the new file, and the name that it takes. */
  readonly temp: string;
  readonly name: string;
  /** As written, for messages. */
  readonly path: string;
  readonly seen: Seen;
  /** The new file, and what it holds. */
  readonly fd: number;
  readonly bytes: Uint8Array;
}

export interface SwapOutcome {
  /** True where another program holds the replaced file open and may go on writing to it. */
  readonly openElsewhere: boolean;
}

/** How long a program that has the replaced file open for writing is waited for. */
const maxWaitMs = 100;

/**
 * Gives the file `temp` the name `name` of the one that was seen, which goes. Throws `ToolFailure`
 * where that is not what was seen any more; then `name` is as the other program left it.
 */
export function swapIn(
  node: NodeFiles,
  request: SwapRequest,
  given?: LibraryCalls,
): SwapOutcome {
  using calls = given ?? openLibraryCalls();
  const { temp, name, path, seen } = request;
  if (!isAsSeen(node, name, seen, "fingerprint")) throw changedMeanwhile(path);
  if (!calls.exchange(temp, name)) return replaceOnly(node, request);
  // From here on `temp` is what was replaced, and whoever has it open may still be writing.
  let openElsewhere = false, same = false;
  try {
    openElsewhere = stillOpen(temp, calls);
    same = isAsSeen(node, temp, seen, "content");
  } catch {
    // What cannot be looked at is not what was seen.
  }
  if (same) {
    removeQuietly(temp);
    return { openElsewhere };
  }
  putBack(node, request, calls);
  throw changedMeanwhile(path);
}

/** Waits for programs that are about to write; true where one is still there in the end. */
function stillOpen(name: string, calls: LibraryCalls) {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const open = calls.isOpenForWriting(name);
    if (open === false) return false;
    if (open === undefined) {
      blockFor(unknownWaitMs);
      return false;
    }
    if (Date.now() > deadline) return true;
    blockFor(1);
  }
}

/** Longer than a program takes from opening a file to writing a line, where nothing else shows it. */
const unknownWaitMs = 3;

/**
 * Returns the other program's file to its name. What was written to ours meanwhile goes there, too,
 * where it was appended, and is kept beside it otherwise.
 */
function putBack(
  node: NodeFiles,
  { temp, name, path, fd, bytes }: SwapRequest,
  calls: LibraryCalls,
): void {
  if (!calls.exchange(temp, name)) {
    // The name has gone, or the file system has changed its mind.
    throw new ToolFailure(
      "io_error",
      `changed while it was written: ${
        shownPath(path)
      }; what another program wrote there is kept ` +
        `beside it in ${shownPath(keep(temp, name))}`,
    );
  }
  stillOpen(temp, calls);
  const back = openQuietly(node, temp);
  try {
    if (back !== undefined && back.stat.identity === statOf(node, fd).identity) {
      const now = readAll(node, back, bytes.length + maxTailBytes);
      if (now !== undefined && isEqual(now.subarray(0, bytes.length), bytes)) {
        if (now.length === bytes.length) return;
        return appendTo(node, name, now.subarray(bytes.length));
      }
    }
  } finally {
    if (back !== undefined) node.fs.closeSync(back.fd);
  }
  throw new ToolFailure(
    "io_error",
    `changed while it was written: ${shownPath(path)} is as another program left it; what was ` +
      `written to it a moment later is kept beside it in ${shownPath(keep(temp, name))}`,
  );
}

function appendTo(node: NodeFiles, name: string, tail: Uint8Array): void {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = node.fs.constants;
  const flags = O_WRONLY | O_APPEND | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
  const fd = node.fs.openSync(name, flags);
  try {
    for (let at = 0; at < tail.length;) at += node.fs.writeSync(fd, tail.subarray(at));
  } finally {
    node.fs.closeSync(fd);
  }
}

/** More is not taken for something appended in a moment. */
const maxTailBytes = 1024 * 1024;

/** Where names cannot be exchanged: what a program wrote in the last moment is found all the same. */
function replaceOnly(
  node: NodeFiles,
  { temp, name, path, seen }: SwapRequest,
): SwapOutcome {
  Deno.renameSync(temp, name);
  if (seen.bytes === undefined) return { openElsewhere: false };
  blockFor(unknownWaitMs);
  const now = readAll(node, { ...seen.file, stat: statOf(node, seen.file.fd) }, maxKeptBytes);
  if (isEqual(now, seen.bytes)) return { openElsewhere: false };
  const kept = `${name}.kept-${newTempName().slice(-6)}`;
  if (now !== undefined) Deno.writeFileSync(kept, now, { createNew: true });
  throw new ToolFailure(
    "io_error",
    `written, but another program wrote to ${shownPath(path)} at the same moment; the file as it ` +
      (now === undefined ? "left it is lost" : `left it is kept beside it in ${shownPath(kept)}`),
  );
}

const maxKeptBytes = 64 * 1024 * 1024;

/** Names a file beside `name` for a person to find; gives the new name. */
function keep(temp: string, name: string): string {
  const kept = `${name}.kept-${newTempName().slice(-6)}`;
  Deno.renameSync(temp, kept);
  return kept;
}

/** True where the file `name` is the one that was seen, unchanged. A rename changes its fingerprint. */
function isAsSeen(
  node: NodeFiles,
  name: string,
  { file, bytes }: Seen,
  by: "fingerprint" | "content",
): boolean {
  const now = openQuietly(node, name);
  if (now === undefined) return false;
  try {
    return now.stat[by] === file.stat[by] &&
      (bytes === undefined || isEqual(readAll(node, now, bytes.length), bytes));
  } finally {
    node.fs.closeSync(now.fd);
  }
}

/** The regular file `name`; undefined where there is none, or none that can be read. */
function openQuietly(node: NodeFiles, name: string): OpenFile | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = node.fs.constants;
  let fd: number;
  try {
    fd = node.fs.openSync(name, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  if (node.fs.fstatSync(fd).isFile()) return { fd, stat: statOf(node, fd) };
  node.fs.closeSync(fd);
  return undefined;
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  if (one === undefined || one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function removeQuietly(name: string): void {
  try {
    Deno.removeSync(name);
  } catch {
    // It is hidden, and removed by a later write.
  }
}

function changedMeanwhile(path: string): ToolFailure {
  return new ToolFailure(
    "io_error",
    `changed while it was written: ${shownPath(path)} now holds what another program wrote; ` +
      "nothing was changed, read it again",
  );
}
