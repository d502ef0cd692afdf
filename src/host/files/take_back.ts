/** Takes a write back: only where the file still holds what was written. */
import { ToolFailure } from "../../core/failure.ts";
import type { FileBounds } from "../../core/file_bounds.ts";
import { shownPath } from "../../lib/shown_path.ts";
import type { NodeFiles } from "./node_files.ts";
import { openAt, openInside, readAll } from "./open_file.ts";
import { osFailure } from "./os_error.ts";
import { atPlace } from "./place.ts";
import { writeInside } from "./replace_file.ts";
import { newTempName } from "./temp_files.ts";
import { whileLocked } from "./write_lock.ts";

export interface Written {
  readonly bounds: FileBounds;
  /** Workspace-relative, with every link followed. */
  readonly path: string;
  /** What was written. */
  readonly content: Uint8Array;
}

/** Whether the file still holds what was written; a short reason where it does not. */
export function stateOfWritten(
  node: NodeFiles,
  { bounds, path, content }: Written,
): "same" | string {
  try {
    const file = openInside(node, bounds, path);
    try {
      if (file.place.throughLink) return replaced;
      return holds(readAll(node, file, content.length), content) ? "same" : changed;
    } finally {
      node.fs.closeSync(file.fd);
    }
  } catch (error) {
    return reasonOf(osFailure(error, path, "read"));
  }
}

/** Gives the file its old content back. Throws `ToolFailure` where it is not as it was written. */
export function restoreWritten(node: NodeFiles, written: Written, before: Uint8Array): void {
  const { bounds, path, content } = written;
  writeInside(node, {
    bounds,
    path,
    existing: "update",
    content(_file, now) {
      if (!holds(now, content)) throw notAsWritten(path);
      return before;
    },
  });
}

/**
 * Removes the file, and of `folders` (within the workspace, outermost first) those that are empty then.
 * Throws `ToolFailure` where it is not as it was written.
 */
export function removeWritten(
  node: NodeFiles,
  { bounds, path, content }: Written,
  folders: readonly string[],
): void {
  atPlace(bounds, path, {}, (place) => {
    whileLocked(node, place.name, path, () => {
      if (place.throughLink || place.info?.isFile !== true) throw notAsWritten(path);
      const aside = newTempName();
      try {
        Deno.renameSync(place.name, aside);
      } catch (error) {
        throw osFailure(error, path, "remove");
      }
      // from here on nobody opens it by its name: what it holds now is what would be lost
      const info = Deno.lstatSync(aside);
      if (isWritten(node, { ...place, name: aside, info }, path, content)) {
        return Deno.removeSync(aside);
      }
      putBack(aside, place.name, path);
      throw notAsWritten(path);
    });
  });
  for (const folder of folders.toReversed()) {
    if (!removedEmpty(bounds, folder)) return;
  }
}

function isWritten(
  node: NodeFiles,
  place: Parameters<typeof openAt>[1],
  path: string,
  content: Uint8Array,
): boolean {
  try {
    const file = openAt(node, place, path);
    try {
      return holds(readAll(node, file, content.length), content);
    } finally {
      node.fs.closeSync(file.fd);
    }
  } catch {
    return false;
  }
}

/** Never in the place of what came meanwhile: then it is kept beside it. */
function putBack(aside: string, name: string, path: string): void {
  try {
    Deno.linkSync(aside, name);
    Deno.removeSync(aside);
  } catch {
    const kept = `${name}.kept-${newTempName().slice(-6)}`;
    Deno.renameSync(aside, kept);
    throw new ToolFailure(
      "io_error",
      `changed while it was removed: ${shownPath(path)}; it is kept beside it in ${
        shownPath(kept)
      }`,
    );
  }
}

function removedEmpty(bounds: FileBounds, folder: string): boolean {
  try {
    atPlace(bounds, folder, {}, ({ name, info }) => {
      if (info?.isDirectory) Deno.removeSync(name);
    });
    return true;
  } catch {
    return false; // in use, or gone
  }
}

function holds(bytes: Uint8Array | undefined, content: Uint8Array): boolean {
  if (bytes === undefined || bytes.length !== content.length) return false;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== content[at]) return false;
  return true;
}

const changed = "changed since", replaced = "something else has its name";

function notAsWritten(path: string): ToolFailure {
  return new ToolFailure("io_error", `${changed}: ${shownPath(path)}`);
}

/** The reason alone, without the path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ToolFailure)) throw error;
  if (error.code === "not_found") return "it is gone";
  if (error.code === "not_a_file") return replaced;
  return error.message.startsWith(`${changed}:`) ? changed : error.message;
}
