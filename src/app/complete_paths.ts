/** Completes paths of the workspace, as a person types them. */
import type { FileBounds } from "../core/file_bounds.ts";
import { ToolFailure } from "../core/failure.ts";
import { isTempName } from "../core/temp_name.ts";
import { listInside } from "../host/files/read_inside.ts";
import { searchBounds } from "../tools/search_bounds.ts";

const maxEntries = 10_000, maxFound = 200;
/** Shorter parts of a name would find most files. */
const leastPart = 2;

/**
 * What may follow `typed`, as whole paths; folders end in a slash. First what its folder holds, then, for
 * a part of a name alone, files anywhere that have it in theirs and are not ignored.
 */
export async function completePaths(
  typed: string,
  bounds: FileBounds,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const start = typed.slice(folder.length);
  const beside = inFolder(folder, start, bounds);
  if (beside.length > 0 || folder !== "" || start.length < leastPart) return beside;
  const { listFiles } = await import("../search/walk/list_files.ts");
  const pattern = `**/*${start.replace(/[\\*?[\]{}!]/g, "\\$&")}*`;
  const request = { bounds: searchBounds(bounds), pattern, path: ".", maxPaths: maxFound };
  try {
    return (await listFiles(request, signal)).paths.filter(isPlain);
  } catch (error) {
    if (error instanceof ToolFailure) return [];
    throw error;
  }
}

function inFolder(folder: string, start: string, bounds: FileBounds): string[] {
  const list = listInside(bounds, folder === "" ? "." : folder, maxEntries);
  if (list.kind !== "list") return [];
  const entries = list.entries.filter(({ name }) =>
    isPlain(name) && !isTempName(name) && (start.startsWith(".") || !name.startsWith("."))
  );
  const exact = entries.filter(({ name }) => name.startsWith(start));
  const low = start.toLowerCase();
  const found = exact.length > 0
    ? exact
    : entries.filter(({ name }) => name.toLowerCase().startsWith(low));
  return found.map(({ name, kind }) => `${folder}${name}${kind === "folder" ? "/" : ""}`);
}

/** What a person could type, and a terminal show. */
function isPlain(path: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}"]/u.test(path);
}
