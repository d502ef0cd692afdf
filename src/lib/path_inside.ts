/** Decides whether a path lies in a folder, by text alone. */
import { sep } from "node:path";

/** True where `path` is `folder` or below it; both absolute and normal. Links are not looked at. */
export function isInside(folder: string, path: string): boolean {
  const outer = comparable(folder), inner = comparable(path);
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** On Windows the case of letters does not count. */
function comparable(path: string): string {
  return sep === "/" ? path : path.toLowerCase();
}
