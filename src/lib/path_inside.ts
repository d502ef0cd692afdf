/** The question whether a path lies in a folder, judged by text alone. */
import { sep } from "node:path";

/** True where `path` is `folder` or below it; both absolute and normal. Links are not looked at. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
