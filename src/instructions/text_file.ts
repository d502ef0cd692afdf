/** Reads a foreign text file for the prompt: bounds, encodings, line ends. */
import { join } from "node:path";
import type { FileBounds } from "../core/file_bounds.ts";
import { readHeadInside } from "../host/files/read_inside.ts";
import { factsOf, type FileHead, readHead } from "../host/folders.ts";
import type { PathProblem } from "../host/path_problem.ts";
import { decodeUtf8 } from "../lib/decode_utf8.ts";

export interface TextFile {
  readonly kind: "text";
  /** Line ends are LF; no byte order mark. */
  readonly text: string;
  /** Bytes of the whole file where `text` holds only its start. */
  readonly cutFromBytes?: number;
  /** True where bytes were not UTF-8 and were replaced. */
  readonly replaced: boolean;
}

/** Reads at most `maxBytes` bytes of a text file. */
export function readTextFile(path: string, maxBytes: number): TextFile | PathProblem {
  return textOf(readHead(path, maxBytes + beyond), maxBytes);
}

/** The same for a file inside a folder, whatever links are swapped meanwhile; with its owner. */
export function readTextInside(
  bounds: FileBounds,
  path: string,
  maxBytes: number,
): TextFile & { readonly uid: number } | PathProblem {
  const facts = factsOf(join(bounds.workspace, path));
  if (facts.kind === "folder" || facts.kind === "other") {
    return { kind: "unreadable", reason: `is ${facts.what}, not a file` };
  }
  const head = readHeadInside(bounds, path, maxBytes + beyond);
  if (head.kind !== "head") return head;
  const text = textOf(head, maxBytes);
  return text.kind === "text" ? { ...text, uid: head.uid } : text;
}

/** So many bytes more are read, so that a cut is known to fall between characters. */
const beyond = 3;

function textOf(head: FileHead | PathProblem, maxBytes: number): TextFile | PathProblem {
  if (head.kind !== "head") return head;
  const decoded = decodeText(head.bytes, maxBytes);
  if (decoded === undefined) return { kind: "unreadable", reason: "is not text" };
  const { text, replaced } = decoded;
  return {
    kind: "text",
    text,
    replaced,
    ...(head.size <= maxBytes ? {} : { cutFromBytes: head.size }),
  };
}

export interface DecodedText {
  /** Line ends are LF; no byte order mark. */
  readonly text: string;
  /** True where bytes were not UTF-8 and were replaced. */
  readonly replaced: boolean;
  /** How many of the bytes were used. */
  readonly bytes: number;
}

/** The text that the first `maxBytes` of `bytes` are; undefined where they are not text. */
export function decodeText(bytes: Uint8Array, maxBytes: number): DecodedText | undefined {
  const used = bytes.length <= maxBytes ? bytes : bytes.subarray(0, characterEnd(bytes, maxBytes));
  const decoded = decode(used);
  if (decoded === undefined) return undefined;
  const { text, replaced } = decoded;
  const unixText = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return { text: unixText, replaced, bytes: used.length };
}

/** The last place at or before `end` where a UTF-8 character starts. */
function characterEnd(bytes: Uint8Array, end: number): number {
  let at = Math.min(end, bytes.length);
  for (let back = 0; back < 3 && at > 0 && (bytes[at] ?? 0) >> 6 === 0b10; back++) at--;
  return at;
}

function decode(bytes: Uint8Array): { text: string; replaced: boolean } | undefined {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : undefined;
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), replaced: false };
  return bytes.includes(0) ? undefined : decodeUtf8(bytes);
}
