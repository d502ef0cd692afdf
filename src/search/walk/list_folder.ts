/** Lists the names in one folder, in the order of whole paths. */
import { gitFolder } from "../ignore/excluded.ts";
import { type AddEntry, systemCalls } from "../system_calls.ts";

/** After the name of a folder and of a link; neither can be part of a name. */
export const folderMark = "/", linkMark = "\0";

export interface Listing {
  /** Names with their marks. Pipes, sockets and devices are not listed. */
  readonly list: readonly string[];
  /** Whether there are a `.ignore`, a `.gitignore` and a `.git`. */
  readonly ignore: boolean;
  readonly gitignore: boolean;
  readonly repository: boolean;
}

const dot = 0x2e;

/** Undefined where the folder cannot be read. */
export function listFolder(folder: string): Listing | undefined {
  const list: string[] = [];
  let ignore = false, gitignore = false, repository = false;
  const add: AddEntry = (name, kind) => {
    if (kind === "file") list.push(name);
    else if (kind === "folder") list.push(name + folderMark);
    else if (kind === "link") list.push(name + linkMark);
    if (name.charCodeAt(0) !== dot) return;
    if (name === ".gitignore") gitignore = true;
    else if (name === ".ignore") ignore = true;
    else if (name === gitFolder) repository = true;
  };
  try {
    const calls = systemCalls();
    if (calls) calls.list(folder, add);
    else listByRuntime(folder, add);
  } catch {
    return undefined;
  }
  // With a slash after a folder's name the order is that of whole paths.
  list.sort();
  return { list, ignore, gitignore, repository };
}

function listByRuntime(folder: string, add: AddEntry): void {
  for (const { name, isFile, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
    add(name, isFile ? "file" : isDirectory ? "folder" : isSymlink ? "link" : "other");
  }
}
