/** The slashes of paths. */
import { sep } from "node:path";

/** `folder` with a slash at its end: what is below it begins with that. */
export function withSlash(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}

/** `path` with `/` between its names, on every system. */
export function forwardSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
