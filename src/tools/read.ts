/** The read tool: numbered lines of a text file, or an image. */
import { ToolFailure } from "../core/failure.ts";
import {
  argumentShape,
  type ArgumentsOf,
  integer,
  optional,
  text,
} from "../core/argument_shape.ts";
import type { Tool, ToolOutput } from "../core/tool.ts";
import { type NodeFiles, nodeFiles } from "../host/files/node_files.ts";
import { type FoundFile, openInside, readAll } from "../host/files/open_file.ts";
import { osFailure } from "../host/files/os_error.ts";
import { maxHashedBytes, versionOf } from "../host/files/version.ts";
import { shownPath } from "../lib/shown_path.ts";
import { counted, resultText } from "./file_result.ts";
import { examineImage, isImageName } from "./read_image.ts";
import { readLarge } from "./read_large.ts";
import { readText } from "./read_text.ts";

/** A number beyond every line means the end, however large it is. */
const anyLine = { min: 1, max: Infinity };

const fields = {
  path: text("Workspace-relative path."),
  start_line: optional(integer("Counts from 1.", anyLine)),
  end_line: optional(integer("Inclusive.", anyLine)),
};
export type ReadInput = ArgumentsOf<typeof fields>;

export const readTool: Tool<ReadInput> = {
  name: "read",
  description: "Read a text file as numbered lines, or a PNG, JPEG, GIF or WEBP image.",
  capabilities: ["read"],
  input: argumentShape(fields),
  parallel: true,
  origin: { kind: "built-in" },
  async run(input, context) {
    const { path, start_line = 1, end_line = Infinity } = input;
    if (end_line < start_line) {
      throw new ToolFailure(
        "invalid_arguments",
        `invalid_arguments: end_line ${end_line} is before start_line ${start_line}`,
      );
    }
    const node = await nodeFiles();
    const file = openInside(node, context, path);
    const range = { first: start_line, last: end_line };
    try {
      const bytes = readAll(node, file, maxHashedBytes);
      if (bytes === undefined) return await readLarge(node, file, path, range, context.signal);
      return readImage(node, file, path, bytes) ?? readText(node, file, path, bytes, range);
    } catch (error) {
      throw osFailure(error, path, "read");
    } finally {
      node.fs.closeSync(file.fd);
    }
  },
};

const maxImageBytes = 5 * 1024 * 1024;

function readImage(
  node: NodeFiles,
  file: FoundFile,
  path: string,
  bytes: Uint8Array,
): ToolOutput | undefined {
  const verdict = examineImage(bytes);
  if (verdict === undefined) {
    if (!isImageName(path) || !bytes.includes(0)) return undefined;
    throw new ToolFailure(
      "not_text",
      `not a usable image: ${shownPath(path)} holds no PNG, JPEG, GIF or WEBP, nor text`,
    );
  }
  if (bytes.length > maxImageBytes) {
    throw new ToolFailure(
      "too_large",
      `image too large: ${shownPath(path)} has ${bytes.length} bytes, the limit is 5 MiB ` +
        `(${maxImageBytes} bytes); make a smaller copy of it first`,
    );
  }
  if ("broken" in verdict) {
    throw new ToolFailure(
      "not_text",
      `not a usable image: ${shownPath(path)} is a ${verdict.broken}`,
    );
  }
  const { mediaType, width, height } = verdict;
  return {
    text: resultText({
      path: shownPath(file.place.path),
      version: versionOf(node, bytes),
      image: `${mediaType}, ${width}x${height} pixels, ${counted(bytes.length, "byte")}`,
    }),
    images: [{ type: "image", mediaType, data: node.toBase64(bytes) }],
  };
}
