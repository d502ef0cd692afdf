/** Owns the look-up of a path for those who hand it on: searches and git. */
import { ToolFailure } from "../../core/failure.ts";
import { type FileKind, kindOf } from "./file_kind.ts";
import { osFailure } from "./os_error.ts";
import { parsePath } from "./path_rule.ts";
import { relativeTo } from "./place.ts";
import { assertInside, enter, followLinks, fromFolder, type Walk } from "./real_walk.ts";

export interface ResolvedPath {
  /** Absolute, behind every link; where nothing is there, as written. */
  readonly absolute: string;
  /** Workspace-relative, behind every link; `.` for the workspace itself. */
  readonly relative: string;
  /** Workspace-relative as written, tidied: the one to show. */
  readonly written: string;
  /** What is there; undefined where nothing is. */
  readonly kind: FileKind | undefined;
}

/**
 * Where `path` leads inside `workspace` (absolute). A missing file or folder is no failure.
 * Throws `ToolFailure("outside_workspace")` for what leads out, and for what cannot be looked at.
 */
export function resolveInside(workspace: string, path: string): ResolvedPath {
  const { segments, text } = parsePath(path);
  return fromFolder(workspace, (root) => {
    const walk: Walk = { root, path, links: 0, made: [] };
    const join = (relative: string) =>
      relative === "." ? root : `${root === "/" ? "" : root}/${relative}`;
    const found = (kind: FileKind | undefined, relative: string): ResolvedPath => ({
      absolute: join(relative),
      relative,
      written: segments.includes("..") ? relative : text,
      kind,
    });
    const here = () => {
      assertInside(walk);
      return found("folder", relativeTo(root, Deno.cwd(), "") || ".");
    };
    try {
      if (enteredFolder(segments)) return here();
      enter(walk, segments.slice(0, -1), false);
      const last = segments.at(-1)!;
      if (enteredFolder([last])) return here();
      const { name, info } = followLinks(walk, last);
      return found(info && kindOf(info), relativeTo(root, Deno.cwd(), name));
    } catch (error) {
      const failure = osFailure(error, path, "reach");
      if (isMissing(failure) && !segments.includes("..")) return found(undefined, text);
      throw failure;
    }
  });
}

function isMissing(failure: unknown): boolean {
  return failure instanceof ToolFailure && failure.code === "not_found";
}

function enteredFolder(segments: readonly string[]): boolean {
  if (segments.length === 0) return true;
  try {
    Deno.chdir(segments.join("/"));
    return true;
  } catch {
    return false;
  }
}
