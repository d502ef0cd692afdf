/** The question whether a path stays inside a folder, by text and by where links lead. */
import { isAbsolute, join, relative, sep } from "node:path";
import { kindAt, resolveLinks } from "../host/folders.ts";

/** True where `path`, which need not be normal, is `folder` or lies in it, judged by text alone. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** True where links lead `path` out of `realFolder`; a path that leads nowhere is not outside. */
export function leadsOutside(path: string, realFolder: string): boolean {
  const real = resolveLinks(path);
  return real.kind === "real" && !isWithin(real.path, realFolder);
}

export interface Executable {
  /** Absolute. */
  readonly executable: string;
  /** Real folder that its real path must be within whenever it is run. */
  readonly confinedTo: string | undefined;
}

/**
 * The executable that a manifest in `folder` names, or what is wrong with it. A relative one is
 * relative to that folder, and may lead out of it. A project's stays within the workspace, unless it
 * names a program elsewhere outright, by an absolute path.
 */
export function executableOf(
  command: string,
  folder: string,
  workspace: string | undefined,
): Executable | { readonly problem: string } {
  if (plainName.test(command)) {
    const executable = `${folder}${sep}${command}`;
    // What stands in the folder itself and is no link cannot be elsewhere.
    if (workspace === undefined || kindAt(executable) !== "link") {
      return { executable, confinedTo: workspace };
    }
  }
  const path = isAbsolute(command) ? command : join(folder, command);
  if (isWithin(folder, path)) {
    return {
      problem: `command[0]: expected an executable, found ${JSON.stringify(command)}, ` +
        "which is a folder",
    };
  }
  if (workspace === undefined) return { executable: path, confinedTo: undefined };
  if (!isWithin(path, folder) && !isWithin(path, workspace)) {
    return isAbsolute(command) ? { executable: path, confinedTo: undefined } : {
      problem: `command[0]: ${JSON.stringify(command)} leads outside the workspace`,
    };
  }
  return leadsOutside(path, workspace)
    ? { problem: "command[0]: leads outside the workspace through a link" }
    : { executable: path, confinedTo: workspace };
}

/** The usual form, told without the costly arithmetic of paths. */
const plainName = /^[\w-][\w.-]*$/;
