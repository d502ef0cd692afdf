/** What the model is given of a mentioned path: a file's text, a folder's list, an image. */
import type { ImagePart, TextPart } from "../core/message.ts";
import { listInside, readHeadInside } from "../host/files/read_inside.ts";
import { factsOf } from "../host/folders.ts";
import { quotedPath, shownPath, shownWhole } from "../lib/shown_path.ts";
import { byteLength, headOf } from "../lib/well_formed.ts";
import { type Locations, relativeForm, within } from "./locations.ts";
import { decodeText } from "./text_file.ts";

/** What image bytes are: undefined where they are none that models take. */
export type ExamineImage = (
  bytes: Uint8Array,
) => { readonly mediaType: string } | { readonly broken: string } | undefined;

export interface Attachment {
  readonly parts: readonly (TextPart | ImagePart)[];
  readonly notices: readonly string[];
  /** Bytes of text in `parts`. */
  readonly textBytes: number;
}

const maxAttachedTextBytes = 100_000;
export const maxAttachedImageBytes = 5 * 1024 * 1024;
const maxAttachedEntries = 200;

/** Reads what lies at `realPath`, with at most `maxBytes` bytes of text. */
export async function attachmentOf(
  { path, realPath, lines }: {
    readonly path: string;
    readonly realPath: string;
    readonly lines?: string;
  },
  locations: Locations,
  examineImage: ExamineImage,
  maxBytes: number,
): Promise<Attachment> {
  const name = `@${shownPath(path)}`;
  const seen = relativeForm(locations, realPath);
  const refuse = refuser(name);
  if (maxBytes < 1000) return refuse("would make the prompt too long");
  const facts = factsOf(realPath);
  if (facts.kind === "missing") return refuse("is gone");
  if (facts.kind === "unreadable") return refuse(facts.reason);
  const inside = within(locations.workspace, realPath);
  if (facts.kind === "folder") return attachFolder(inside, locations, seen, refuse);
  if (facts.kind === "other") return refuse(`is ${facts.what}, not a file`);
  const head = readHeadInside(locations, inside, maxAttachedImageBytes + 1);
  if (head.kind === "missing") return refuse("is gone");
  if (head.kind === "unreadable") return refuse(head.reason);
  return await fileAttachment(head, {
    name,
    seen,
    lines,
    maxBytes: Math.min(maxBytes, maxAttachedTextBytes),
  }, examineImage);
}

export interface FileForm {
  /** How the person wrote it, for notices. */
  readonly name: string;
  /** How the model is told of it. */
  readonly seen: string;
  /** `10-20` or `10`. */
  readonly lines?: string | undefined;
  /** Of text. */
  readonly maxBytes: number;
}

/** The text or image of a file whose beginning was read, for an image the whole. */
export async function fileAttachment(
  head: { readonly bytes: Uint8Array; readonly size: number },
  { name, seen, lines, maxBytes }: FileForm,
  examineImage: ExamineImage,
): Promise<Attachment> {
  const refuse = refuser(name);
  const image = examineImage(head.bytes);
  if (image !== undefined) {
    if (head.size > maxAttachedImageBytes) {
      return refuse(`has ${head.size} bytes; images may have ${maxAttachedImageBytes}`);
    }
    if ("broken" in image) return refuse(`is no whole image (${image.broken})`);
    return await attachImage(head.bytes, image.mediaType, seen);
  }
  return attachText(head, { name, seen, lines, maxBytes });
}

type Refuse = (why: string) => Attachment;

function refuser(name: string): Refuse {
  return (why) => ({ parts: [], notices: [`${name} was not attached: it ${why}.`], textBytes: 0 });
}

function attachFolder(
  path: string,
  locations: Locations,
  seen: string,
  refuse: Refuse,
): Attachment {
  const list = listInside(locations, path, 10_000);
  if (list.kind !== "list") return refuse(list.kind === "missing" ? "is gone" : list.reason);
  const lines = list.entries.slice(0, maxAttachedEntries)
    .map(({ name, kind }) => shownWhole(kind === "folder" ? `${name}/` : name));
  const omitted = list.entries.length - lines.length;
  if (list.more) lines.push("[... more entries omitted ...]");
  else if (omitted > 0) lines.push(`[... ${omitted} more entries omitted ...]`);
  return textAttachment(`\n\n<folder path=${quotedPath(seen)}>\n${lines.join("\n")}\n</folder>`);
}

async function attachImage(
  bytes: Uint8Array,
  mediaType: string,
  seen: string,
): Promise<Attachment> {
  const { Buffer } = await import("node:buffer");
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const label = textAttachment(`\n\n<image path=${quotedPath(seen)}/>`);
  return { ...label, parts: [...label.parts, { type: "image", mediaType, data }] };
}

function attachText(
  head: { readonly bytes: Uint8Array; readonly size: number },
  { name, seen, lines, maxBytes }: FileForm,
): Attachment {
  const refuse = refuser(name);
  // A range may lie anywhere in what was read; without one the start is enough.
  const readable = head.size > head.bytes.length ? head.bytes.length - 3 : head.bytes.length;
  const decoded = decodeText(head.bytes, lines === undefined ? maxBytes : readable);
  if (decoded === undefined) return refuse("is neither text nor an image");
  const [from, to] = rangeOf(lines);
  const all = decoded.text.split("\n");
  if (from > all.length) return refuse(`has ${all.length} lines, so there is no line ${from}`);
  const wanted = lines === undefined ? decoded.text : all.slice(from - 1, to).join("\n");
  const text = headOf(wanted, maxBytes);
  const isCut = text.length < wanted.length ||
    (head.size > decoded.bytes && (lines === undefined || to > all.length));
  const last = from + text.split("\n").length - 1;
  const label = lines === undefined ? "" : ` lines="${from}-${last}"`;
  const notices = decoded.replaced
    ? [`${name} is not valid UTF-8; the bytes that are not were replaced.`]
    : [];
  const end = isCut
    ? `\n[... cut: the file has ${head.size} bytes; continue with read from start_line ${last} ...]`
    : "";
  if (isCut) {
    notices.push(`${name} has ${head.size} bytes; only a part of it is attached.`);
  }
  const attachment = textAttachment(
    `\n\n<file path=${quotedPath(seen)}${label}>\n${text.replace(/\n$/, "")}${end}\n</file>`,
  );
  return { ...attachment, notices };
}

/** First line, from 1, and last line, inclusive. */
function rangeOf(lines: string | undefined): [number, number] {
  if (lines === undefined) return [1, Infinity];
  const [from, to] = lines.split("-").map(Number) as [number, number | undefined];
  return [Math.max(1, from), Math.max(1, from, to ?? from)];
}

function textAttachment(text: string): Attachment {
  return { parts: [{ type: "text", text }], notices: [], textBytes: byteLength(text) };
}
