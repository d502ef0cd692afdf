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
  /** Files that are not listed, as their names end otherwise. */
  readonly passed: number;
}

/** What names of wanted files end in, as text and in UTF-8. */
export interface Endings {
  readonly texts: readonly string[];
  readonly bytes: readonly Uint8Array[];
}

export function endingsFrom(texts: readonly string[]): Endings {
  const encoder = new TextEncoder();
  return { texts, bytes: texts.map((text) => encoder.encode(text)) };
}

const dot = 0x2e;

/**
 * Undefined where the folder cannot be read. With `endings`, files whose names end in none of them are only
 * counted, save those that begin with a dot.
 */
export function listFolder(folder: string, endings?: Endings): Listing | undefined {
  const list: string[] = [];
  let passed = 0, ignore = false, gitignore = false, repository = false;
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
    passed = calls
      ? calls.list(folder, add, endings?.bytes)
      : listByRuntime(folder, add, endings?.texts);
  } catch {
    return undefined;
  }
  // With a slash after a folder's name the order is that of whole paths.
  list.sort();
  return { list, ignore, gitignore, repository, passed };
}

/** As the `list` of system calls. */
function listByRuntime(folder: string, add: AddEntry, endings?: readonly string[]): number {
  let passed = 0;
  for (const { name, isFile, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
    const isOther = isFile && endings !== undefined && name.charCodeAt(0) !== dot &&
      !endings.some((ending) => name.endsWith(ending));
    if (isOther) passed++;
    else add(name, isFile ? "file" : isDirectory ? "folder" : isSymlink ? "link" : "other");
  }
  return passed;
}
