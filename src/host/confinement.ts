/** Decides whether a path stays inside a folder, by text and by where links lead. */
import { isAbsolute, resolve, sep } from "node:path";
import { kindAt, resolveLinks } from "./folders.ts";
import { isInside } from "../lib/path_inside.ts";

/** True where links lead `path` out of `realFolder`; a path that leads nowhere is not outside. */
export function leadsOutside(path: string, realFolder: string): boolean {
  const real = resolveLinks(path);
  return real.kind === "real" && !isInside(realFolder, real.path);
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
  const path = resolve(folder, command);
  if (isInside(path, folder)) {
    return {
      problem: `command[0]: expected an executable, found ${JSON.stringify(command)}, ` +
        "which is a folder",
    };
  }
  if (workspace === undefined) return { executable: path, confinedTo: undefined };
  if (!isInside(folder, path) && !isInside(workspace, path)) {
    return isAbsolute(command) ? { executable: path, confinedTo: undefined } : {
      problem: `command[0]: ${JSON.stringify(command)} leads outside the workspace`,
    };
  }
  return leadsOutside(path, workspace)
    ? { problem: "command[0]: leads outside the workspace through a link" }
    : { executable: path, confinedTo: workspace };
}

/** The usual form, recognised without the costly arithmetic of paths. */
const plainName = /^[\w-][\w.-]*$/;
