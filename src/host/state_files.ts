/** The small files of nimlet itself, state and configuration: read whole, written atomically. */
import { dirname, join } from "node:path";
import { type PathProblem, pathProblemOf, whatIs } from "./path_problem.ts";

export type StateFile =
  /** `text` still holds a byte order mark where the file starts with one. */
  | { readonly kind: "text"; readonly text: string; readonly mode: number | undefined }
  | PathProblem;

/**
 * Reads a regular file of at most `maxBytes` bytes, through links. Pipes, devices, sockets and
 * folders are never opened, so that nothing here waits. Never throws for what the disk holds.
 */
export function readStateFile(path: string, maxBytes: number): StateFile {
  try {
    const own = Deno.lstatSync(path);
    return readRegular(path, own.isSymlink ? Deno.statSync(path) : own, maxBytes);
  } catch (error) {
    return failedRead(error);
  }
}

/** The same, but what is a link at its last step is only reported, not read. */
export function readUnlinkedFile(path: string, maxBytes: number): StateFile | { kind: "link" } {
  try {
    const own = Deno.lstatSync(path);
    return own.isSymlink ? { kind: "link" } : readRegular(path, own, maxBytes);
  } catch (error) {
    return failedRead(error);
  }
}

/** The text of a file that nobody but this user can have written; undefined for any other. */
export function readOwnFile(path: string, maxBytes: number): string | undefined {
  try {
    const own = Deno.lstatSync(path);
    const isOwn = Deno.build.os === "windows" ||
      own.uid === Deno.uid() && ((own.mode ?? 0) & 0o022) === 0;
    const file = isOwn ? readRegular(path, own, maxBytes) : undefined;
    return file?.kind === "text" ? file.text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes `text` to `path` at once: a reader sees the old content or the new, never a part. Makes
 * missing parent folders (private). The file gets exactly `mode`. A link at `path` is replaced by
 * a file. Throws what the disk says, with nothing left behind.
 */
export async function writeStateFile(path: string, text: string, mode = 0o600): Promise<void> {
  const folder = dirname(path);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    const file = await Deno.open(temporary, { write: true, createNew: true, mode });
    try {
      const bytes = new TextEncoder().encode(text);
      for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
      await file.syncData();
    } finally {
      file.close();
    }
    // The mode given to open is narrowed by the umask.
    if (Deno.build.os !== "windows") await Deno.chmod(temporary, mode);
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

function readRegular(path: string, info: Deno.FileInfo, maxBytes: number): StateFile {
  if (!info.isFile) return { kind: "unreadable", reason: `is ${whatIs(info)}, not a file` };
  if (info.size > maxBytes) return { kind: "unreadable", reason: tooLarge(maxBytes) };
  const bytes = Deno.readFileSync(path);
  if (bytes.length > maxBytes) return { kind: "unreadable", reason: tooLarge(maxBytes) };
  const text = decoder.decode(bytes);
  return { kind: "text", text, mode: info.mode === null ? undefined : info.mode & 0o7777 };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function tooLarge(maxBytes: number): string {
  return `is larger than ${maxBytes} bytes`;
}

function failedRead(error: unknown): PathProblem {
  return error instanceof TypeError
    ? { kind: "unreadable", reason: "is not UTF-8 text" }
    : pathProblemOf(error);
}
