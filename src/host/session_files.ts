/** The folder of session files: private folders, lists, heads and tails of files. */
import { readUpTo } from "./read_up_to.ts";

export interface FileEntry {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Makes `folder` and what is missing above it, readable by the user alone. */
export function makePrivateFolder(folder: string): void {
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Names of the files in `folder` that end in `suffix`; none where there is no such folder. */
export function namesIn(folder: string, suffix: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name)
      .filter((name) => name.endsWith(suffix));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The regular files among `names` of `folder`; one that vanished meanwhile is left out. */
export function filesOf(folder: string, names: readonly string[]): FileEntry[] {
  const files: FileEntry[] = [];
  for (const name of names) {
    try {
      const info = Deno.statSync(`${folder}/${name}`);
      if (!info.isFile) continue;
      files.push({ name, size: info.size, mtimeMs: info.mtime?.getTime() ?? 0 });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  return files;
}

/**
 * The first and the last `bytes` bytes of a file (of a small file: the whole as `head`, no `tail`);
 * undefined where it cannot be read.
 */
export function readEnds(
  path: string,
  bytes: number,
): { readonly head: Uint8Array; readonly tail: Uint8Array } | undefined {
  try {
    using file = Deno.openSync(path);
    const head = readUpTo(file, bytes);
    if (head.length < bytes) return { head, tail: new Uint8Array(0) };
    const size = file.statSync().size;
    file.seekSync(Math.max(bytes, size - bytes), Deno.SeekMode.Start);
    return { head, tail: readUpTo(file, bytes) };
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

export function copyFile(from: string, to: string): void {
  Deno.copyFileSync(from, to);
}

export function removeFile(path: string): void {
  Deno.removeSync(path);
}

/** Gives a finished file its place. */
export function moveFile(from: string, to: string): void {
  Deno.renameSync(from, to);
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable ||
    error instanceof Deno.errors.IsADirectory ||
    (error instanceof Error && "code" in error);
}
