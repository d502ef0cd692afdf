/** Owns the question which file a path really names. */

/** `path` with every link followed; `path` itself where there is nothing, or nothing to be seen. */
export function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return path;
    if (error instanceof Deno.errors.PermissionDenied) return path;
    if (error instanceof Deno.errors.NotADirectory) return path;
    if (error instanceof Deno.errors.FilesystemLoop) return path;
    throw error;
  }
}
