/**
 * Judges which files of a workspace are its trusted parts: tools, settings, skills, a repository's data.
 * What is written there can run later, or speak to the model, so that such a change needs approval.
 */
import { dirname, join, resolve } from "node:path";
import type { FileBounds } from "../../core/file_bounds.ts";
import { ToolFailure } from "../../core/failure.ts";
import { isInside } from "../../lib/path_inside.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { kindAt, realOrMissing } from "../folders.ts";
import { isSameName, nameAmong } from "../same_place.ts";
import { readStateFile } from "../state_files.ts";
import { type Place, realPathOf } from "./place.ts";
import { parsePath } from "./path_rule.ts";

const folders = [".agent", ".agents", ".git", ".nimlet"];

type Change = "edit" | "write";

/** The grant key for a change of the file at `path`; undefined where it needs no approval. */
export function changeKey(change: Change, bounds: FileBounds, path: string): string | undefined {
  try {
    const real = realPathOf(bounds, path);
    return changeKeyAt(change, bounds, parsePath(path, bounds.workspace).text, real);
  } catch (error) {
    // The change itself says what is wrong with the path.
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

/**
 * Makes sure that the change about to be made at `place` is the one that was permitted: what a path leads
 * to can change after that. Without a key everything is permitted. Throws `ToolFailure`.
 */
export function assertPermitted(
  change: Change,
  request: { readonly bounds: FileBounds; readonly permittedKey?: string | undefined },
  { path, realPath }: Place,
): void {
  if (request.permittedKey === undefined) return;
  const key = changeKeyAt(change, request.bounds, path, realPath);
  if (key === undefined || key === request.permittedKey) return;
  throw new ToolFailure(
    "approval_denied",
    `approval_denied: ${shownPath(path)} leads to ${shownPath(realPath)} by now, a trusted part, ` +
      "which needs approval",
  );
}

/** Both paths are relative to the workspace. */
function changeKeyAt(
  change: Change,
  { workspace }: FileBounds,
  written: string,
  real: string,
): string | undefined {
  return isTrusted(workspace, written) || isTrusted(workspace, real)
    ? `${change}:${real}`
    : undefined;
}

function isTrusted(workspace: string, path: string): boolean {
  const segments = path.split("/");
  const isNamed = segments.some((segment, index) => {
    const name = nameAmong(folders, segment);
    return name !== undefined &&
      isSameName(join(workspace, ...segments.slice(0, index)), segment, name);
  });
  if (isNamed) return true;
  const whole = join(workspace, path);
  return folders.some((name) => {
    const end = endOf(join(workspace, name));
    return end !== undefined && isInside(end, whole);
  });
}

/** Where such a folder really is, should it be a link, or a file that names a repository's folder. */
function endOf(path: string): string | undefined {
  const kind = kindAt(path);
  if (kind === "link") return realOrMissing(path);
  if (kind !== "file") return undefined;
  const file = readStateFile(path, 4096);
  const target = file.kind === "text"
    ? /^gitdir: ([^\n]+)/.exec(file.text)?.[1]?.trim()
    : undefined;
  return target === undefined ? undefined : realOrMissing(resolve(dirname(path), target));
}
