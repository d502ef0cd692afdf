/** Reads the answer to a call: text for the model, pictures, or a failure. */
import type { ContentBlock } from "@modelcontextprotocol/client";
import { isDeeper, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { ImagePart } from "../core/message.ts";
import { fromBase64, toBase64 } from "../lib/base64.ts";
import { capMiddle } from "../lib/well_formed.ts";
import { withoutTags } from "../core/clean_text.ts";

export interface CallResult {
  readonly text: string;
  readonly images: readonly ImagePart[];
  readonly isError: boolean;
  /** The server wants to know something before it goes on. */
  readonly wantsInput: boolean;
}

export interface ResultRules {
  readonly maxTextBytes: number;
  /** The media type of a picture that can be shown; undefined where the bytes are none. */
  imageType(bytes: Uint8Array): string | undefined;
}

const maxImages = 8, maxImageBytes = 5 * 1024 * 1024;
const maxLabelChars = 500, maxShownLevels = 500;

/** Never throws: what cannot be shown is named instead. */
export function readCallResult(answer: unknown, rules: ResultRules): CallResult {
  const result = isJsonObject(answer) ? answer : {};
  const images: ImagePart[] = [];
  const { content = [] } = result;
  // some give a text where a list of blocks is expected
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  const texts = blocks.flatMap((block) =>
    readBlock(isJsonObject(block) ? block : {}, images, rules)
  );
  const isSilent = images.length === 0 && texts.every((text) => text.trim() === "");
  // most servers say the same twice, and nothing tells which of the two says more
  const structured = result.structuredContent ?? result.toolResult;
  if (isSilent && structured !== undefined) {
    texts.splice(0, texts.length, jsonOf(structured));
  }
  const text = withoutTags(texts.join("\n\n").toWellFormed());
  const nothing = images.length === 0
    ? "(no output)"
    : images.length === 1
    ? "(an image)"
    : `(${images.length} images)`;
  return {
    text: text.trim() === "" ? nothing : capMiddle(text, rules.maxTextBytes),
    images,
    isError: result.isError === true,
    wantsInput: result.resultType === "input_required",
  };
}

/** The texts of one block; pictures go to `images`. */
function readBlock(block: JsonObject, images: ImagePart[], rules: ResultRules): string[] {
  const type = block.type as ContentBlock["type"];
  switch (type) {
    case "text":
      return [textOf(block.text)];
    case "image":
      return picture("image", block.mimeType, block.data, images, rules);
    case "audio":
      return [leftOut("audio", block.mimeType, block.data)];
    case "resource_link": {
      const name = label(block.name), description = label(block.description);
      return [
        `[resource ${label(block.uri)}${name === "" ? "" : ` (${name})`}` +
        `${description === "" ? "" : `: ${description}`}]`,
      ];
    }
    case "resource": {
      const resource = isJsonObject(block.resource) ? block.resource : {};
      const name = `resource ${label(resource.uri)}`;
      if (typeof resource.text === "string") return [`[${name}]\n${resource.text}`];
      return picture(name, resource.mimeType, resource.blob, images, rules);
    }
    default:
      return [
        `[content of the unknown kind ${JSON.stringify(label(type satisfies never))}: left out]`,
      ];
  }
}

function picture(
  name: string,
  mimeType: Json | undefined,
  data: Json | undefined,
  images: ImagePart[],
  { imageType }: ResultRules,
): string[] {
  const bytes =
    typeof data === "string" && sizeOf(data) <= maxImageBytes && images.length < maxImages
      ? fromBase64(data)
      : undefined;
  const mediaType = bytes && imageType(bytes);
  if (bytes === undefined || mediaType === undefined) return [leftOut(name, mimeType, data)];
  images.push({ type: "image", mediaType, data: toBase64(bytes) });
  return [];
}

function leftOut(name: string, mimeType: Json | undefined, data: Json | undefined): string {
  const bytes = typeof data === "string" ? sizeOf(data) : 0;
  return `[${name}, ${label(mimeType) || "of unknown type"}, ${bytes} bytes: left out]`;
}

function sizeOf(base64: string): number {
  return Math.floor(base64.replace(/=+\s*$/, "").length * 3 / 4);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : jsonOf(value ?? "");
}

/** What lies in more levels than can be written is named instead. */
function jsonOf(value: Json): string {
  return isDeeper(value, maxShownLevels)
    ? `[more than ${maxShownLevels} levels of JSON: left out]`
    : JSON.stringify(value);
}

function label(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxLabelChars).replace(/\s+/g, " ") : "";
}
