/** Reads one file for a search: its text, or why it has none. */
import { decodeMarked, markOf } from "../../lib/byte_order_mark.ts";

export const maxFileBytes = 1024 * 1024;

export type FileText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary" }
  | { readonly kind: "large" }
  | { readonly kind: "unreadable" };

/** Reads files one after the other into one buffer. */
export interface TextReader {
  read(path: string): FileText;
  /** What identifies the file that was read last: device and inode. */
  fileId(): string | undefined;
  /** Closes the file that was read last. */
  release(): void;
}

export function createTextReader(): TextReader {
  // Kept open until the next one: only of the few that match it is asked which file it was.
  let last: Deno.FsFile | undefined;
  const release = () => {
    last?.close();
    last = undefined;
  };
  const buffer = new Uint8Array(maxFileBytes + 1);
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  const read = (path: string): FileText => {
    release();
    last = openFile(path);
    const bytes = last && readBytes(last, buffer);
    if (bytes === undefined) return { kind: "unreadable" };
    if (bytes > maxFileBytes) return { kind: "large" };
    const content = buffer.subarray(0, bytes);
    const mark = markOf(content);
    const text = mark === undefined || mark.encoding === "UTF-8"
      ? utf8.decode(content)
      : decodeMarked(content, mark);
    // As `read` has it.
    if (text.includes("\0")) return { kind: "binary" };
    return { kind: "text", text };
  };
  return { read, fileId: () => last && idOf(last), release };
}

function openFile(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path);
  } catch {
    return undefined;
  }
}

/** As `FoundInside` has it. */
function idOf(file: Deno.FsFile): string {
  const { dev, ino } = file.statSync();
  return `${dev}-${ino}`;
}

/** Bytes read, at most the buffer's length; undefined where the file cannot be read. */
function readBytes(file: Deno.FsFile, buffer: Uint8Array): number | undefined {
  try {
    let total = file.readSync(buffer) ?? 0;
    // A short read of an ordinary file is its end; files that the kernel makes up come in pages.
    while (total > 0 && total < buffer.length && total % 4096 === 0) {
      const more = file.readSync(buffer.subarray(total));
      if (more === null || more === 0) break;
      total += more;
    }
    return total;
  } catch {
    return undefined;
  }
}

/** Without a byte order mark; CR LF is one line end, a CR elsewhere is an ordinary character. */
export function withPlainLines(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const marked = start ? text.slice(start) : text;
  return marked.includes("\r") ? marked.replaceAll("\r\n", "\n") : marked;
}
