/** The files of --attach: text and images from anywhere, by the person's own flag. */
import { resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { AttachedParts } from "../core/conversation.ts";
import { readHead } from "../host/folders.ts";
import { fileAttachment, maxAttachedImageBytes } from "../instructions/attachment.ts";
import { shownPath } from "../lib/shown_path.ts";
import { examineImage } from "../tools/read_image.ts";

/** Of all files of one run together. */
const maxTextBytes = 1_000_000;
export const maxImages = 20;

/** Reads `files`, relative to `cwd`. Throws `RunFailure("usage")` for one that cannot be sent. */
export async function readAttachedFiles(
  files: readonly string[],
  cwd: string,
): Promise<AttachedParts> {
  const parts: AttachedParts["parts"][number][] = [], notices: string[] = [];
  let textBytes = maxTextBytes, images = 0;
  for (const file of files) {
    const path = resolve(cwd, file);
    const wrong = (problem: string) =>
      new RunFailure("usage", `--attach: ${shownPath(path)} ${problem}`);
    const head = readHead(path, maxAttachedImageBytes + 1);
    if (head.kind === "missing") throw wrong("is not there");
    if (head.kind === "unreadable") throw wrong(head.reason);
    if (textBytes < 1000) {
      throw wrong(`is too much: the files before it have ${maxTextBytes} bytes of text already`);
    }
    const form = { name: shownPath(file), seen: file, maxBytes: textBytes };
    const attached = await fileAttachment(head, form, examineImage);
    if (attached.parts.length === 0) {
      throw new RunFailure("usage", `--attach: ${attached.notices.join("; ")}`);
    }
    images += attached.parts.filter(({ type }) => type === "image").length;
    if (images > maxImages) throw wrong(`is one image too many: ${maxImages} at most`);
    parts.push(...attached.parts);
    notices.push(...attached.notices);
    textBytes -= attached.textBytes;
  }
  return { parts, notices };
}
