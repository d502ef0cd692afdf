/** The files that a person or client sends with a prompt: text and images from anywhere. */
import { resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { AttachedParts, AttachmentSource } from "../core/conversation.ts";
import { type FileHead, readHead } from "../host/folders.ts";
import type { PathProblem } from "../host/path_problem.ts";
import { fileAttachment, maxAttachedImageBytes } from "../instructions/attachment.ts";
import { shownPath } from "../lib/shown_path.ts";
import { examineImage } from "../tools/read_image.ts";

/** Of all files of one prompt together. A request holds no more images than that, in base64. */
const maxTextBytes = 1_000_000, maxImageBytes = 20 * 1024 * 1024;
export const maxImages = 20;

/**
 * Reads the files, their paths relative to `folder`. Throws `RunFailure("usage")`, which begins with
 * `asked`, for one that cannot be sent.
 */
export async function readAttachments(
  sources: readonly AttachmentSource[],
  folder: string,
  asked: string,
): Promise<AttachedParts> {
  const parts: AttachedParts["parts"][number][] = [], notices: string[] = [];
  let textBytes = maxTextBytes, images = 0, imageBytes = 0;
  for (const source of sources) {
    const shown = "path" in source ? shownPath(resolve(folder, source.path)) : source.name;
    const wrong = (problem: string) => new RunFailure("usage", `${asked}: ${shown} ${problem}`);
    const head = "path" in source
      ? readHead(resolve(folder, source.path), maxAttachedImageBytes + 1)
      : await contentOf(source);
    if (head.kind === "missing") throw wrong("is not there");
    if (head.kind === "unreadable") throw wrong(head.reason);
    if (textBytes < 1000) {
      throw wrong(`is too much: the files before it have ${maxTextBytes} bytes of text already`);
    }
    const seen = "path" in source ? source.path : source.name;
    const form = { name: shownPath(seen), seen, maxBytes: textBytes };
    const attached = await fileAttachment(head, form, examineImage);
    if (attached.parts.length === 0) {
      throw new RunFailure("usage", `${asked}: ${attached.notices.join("; ")}`);
    }
    const found = attached.parts.filter(({ type }) => type === "image").length;
    // of a file the model can read the rest
    if (!("path" in source) && found === 0 && head.size > textBytes) {
      throw wrong(`is too much: expected ${textBytes} bytes of text at most, found ${head.size}`);
    }
    images += found;
    if (found > 0) imageBytes += head.size;
    if (imageBytes > maxImageBytes) {
      throw wrong(`is too much: expected ${maxImageBytes} bytes of images, found ${imageBytes}`);
    }
    if (images > maxImages) throw wrong(`is one image too many: ${maxImages} at most`);
    parts.push(...attached.parts);
    notices.push(...attached.notices);
    textBytes -= attached.textBytes;
  }
  return { parts, notices };
}

async function contentOf(
  source: Exclude<AttachmentSource, { path: string }>,
): Promise<FileHead | PathProblem> {
  if ("text" in source) {
    const bytes = new TextEncoder().encode(source.text);
    return { kind: "head", bytes, size: bytes.length };
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(source.data) || source.data.length % 4 !== 0) {
    return { kind: "unreadable", reason: "is not valid: expected base64 in data" };
  }
  const { Buffer } = await import("node:buffer");
  const bytes = new Uint8Array(Buffer.from(source.data, "base64"));
  return { kind: "head", bytes, size: bytes.length };
}
