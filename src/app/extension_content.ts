/** Reads what an extension's tool gives: text, and images as bytes or as files. */
import type { ReadContent } from "../extensions/extension_tool.ts";
import { isAbsolute, relative } from "node:path";
import type { JsonObject } from "../core/json.ts";
import { readHeadInside } from "../host/files/read_inside.ts";
import { realOf } from "../host/folders.ts";
import { isInside } from "../lib/path_inside.ts";
import { readCallResult } from "../mcp/call_result.ts";
import { examineImage } from "../tools/read_image.ts";
import { toBase64 } from "../lib/base64.ts";

const maxImageBytes = 5 * 1024 * 1024;

export const readContent: ReadContent = (content, { folder, context }) => {
  const blocks = content.map((block): JsonObject => {
    if (block.type === "text" || block.path === undefined || block.data !== undefined) return block;
    const found = imageFile(block.path, [
      { workspace: context.workspace, nimletHome: context.nimletHome },
      { workspace: realOf(folder), nimletHome: undefined },
    ]);
    return typeof found === "string"
      ? { type: "text", text: `[image ${block.path}: ${found}]` }
      : { type: "image", data: toBase64(found) };
  });
  const { text, images } = readCallResult({ content: blocks }, {
    maxTextBytes: context.limits.maxOutputBytes,
    imageType(bytes) {
      const verdict = examineImage(bytes);
      return verdict === undefined || "broken" in verdict ? undefined : verdict.mediaType;
    },
  });
  return Promise.resolve({ text, images });
};

interface Bounds {
  readonly workspace: string;
  readonly nimletHome: string | undefined;
}

/** The bytes of the file, or why it is left out. */
function imageFile(path: string, places: readonly Bounds[]): Uint8Array | string {
  for (const bounds of places) {
    const own = isAbsolute(path) ? relative(bounds.workspace, path) : path;
    if (isAbsolute(path) && !isInside(bounds.workspace, path)) continue;
    const head = readHeadInside(bounds, own, maxImageBytes + 1);
    if (head.kind !== "head") continue;
    return head.bytes.length > maxImageBytes ? `is larger than ${maxImageBytes} bytes` : head.bytes;
  }
  return "is no file of the workspace or of the extension's folder";
}
