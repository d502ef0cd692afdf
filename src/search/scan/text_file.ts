/** Reads one file for a search: its text, or why it has none. */
import { decodeMarked, markOf } from "../../lib/byte_order_mark.ts";
import type { ByteRuns } from "../engine/pattern/required_bytes.ts";
import { type ByteLook, createByteMemory } from "./byte_look.ts";
import { createOneFile, type OneFile } from "./one_file.ts";

export const maxFileBytes = 1024 * 1024;

export type FileText =
  | { readonly kind: "text"; readonly text: string }
  /** A text that holds nothing of what was looked for. */
  | { readonly kind: "other" }
  | { readonly kind: "binary" }
  | { readonly kind: "large" }
  | { readonly kind: "unreadable" };

/** Reads the files of a batch one after the other into one buffer. */
export interface TextReader extends Pick<OneFile, "start" | "next"> {
  /** A look for any of `runs`; without them it finds that every text may match. */
  lookFor(runs: ByteRuns | undefined): ByteLook;
  /** Reads the file that `next` has come to. */
  read(look: ByteLook): FileText;
  /** What identifies the file that was read last: device and inode. */
  fileId(): string | undefined;
  /** Whether the file that was read last is UTF-8, or says by its mark what else it is. */
  isUtf8(): boolean;
  /** Closes what is open: to be called after the last file. */
  release(): void;
}

export function createTextReader(): TextReader {
  // Kept open until the next one: only of the few that match it is asked which file it was.
  const file = createOneFile();
  /** What `isUtf8` looks at: undefined for a file whose mark names its encoding. */
  let unmarked: Uint8Array | undefined;
  const memory = createByteMemory(maxFileBytes + 1);
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  const read = (look: ByteLook): FileText => {
    const length = file.read(memory.bytes);
    if (length === undefined) return { kind: "unreadable" };
    if (length > maxFileBytes) return { kind: "large" };
    const bytes = memory.bytes.subarray(0, length);
    const mark = markOf(bytes);
    unmarked = mark === undefined ? bytes : undefined;
    if (mark !== undefined && mark.encoding !== "UTF-8") {
      const text = decodeMarked(bytes, mark);
      return text.includes("\0") ? { kind: "binary" } : { kind: "text", text };
    }
    // A NUL makes a file binary, as `read` has it.
    if (look.hasNul(length)) return { kind: "binary" };
    if (!look.mayMatch(length)) return { kind: "other" };
    return { kind: "text", text: utf8.decode(bytes) };
  };
  return {
    start: file.start,
    next: file.next,
    lookFor: memory.lookFor,
    read,
    fileId: file.id,
    isUtf8: () => unmarked === undefined || isUtf8(unmarked),
    release: file.close,
  };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Without a byte order mark; CR LF is one line end, a CR elsewhere is an ordinary character. */
export function withPlainLines(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const marked = start ? text.slice(start) : text;
  return marked.includes("\r") ? marked.replaceAll("\r\n", "\n") : marked;
}
