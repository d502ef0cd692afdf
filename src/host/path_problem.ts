/** The words for what a path names, and for why it cannot be read. */

/** Why a path gave nothing; `reason` completes the sentence "<path> ...". */
export type PathProblem =
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** The problem that an error of the system means. */
export function pathProblemOf(error: unknown): PathProblem {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return { kind: "missing" };
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return { kind: "unreadable", reason: "may not be read" };
  }
  if (error instanceof Deno.errors.FilesystemLoop) {
    return { kind: "unreadable", reason: "is a link that leads to itself" };
  }
  const cause = error instanceof Error ? error.message : String(error);
  return { kind: "unreadable", reason: `cannot be read (${cause})` };
}

/** What it is, for people: `a pipe`. */
export function whatIs(info: Deno.FileInfo): string {
  if (info.isFile) return "a file";
  if (info.isDirectory) return "a folder";
  if (info.isFifo) return "a pipe";
  if (info.isSocket) return "a socket";
  return info.isCharDevice || info.isBlockDevice ? "a device" : "something else";
}
