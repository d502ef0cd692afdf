/** What every wire does with a message's content: texts that can be sent, notes in place of images. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AssistantMessage, ImagePart, TextPart, ToolUsePart } from "../../core/message.ts";
import { wellFormed } from "../../lib/well_formed.ts";
import type { Target } from "./wire.ts";

/** The parts that are sent: empty texts are left out, images only where the model takes them. */
export function sentParts(
  content: readonly (TextPart | ImagePart)[],
  { images, model }: Target,
): (TextPart | ImagePart)[] {
  return content.flatMap((part): (TextPart | ImagePart)[] => {
    if (part.type === "image") {
      if (images) return [part];
      const bytes = Math.floor(part.data.length * 3 / 4);
      const text = `[image (${part.mediaType}, ${bytes} bytes) left out: ${model} takes no images]`;
      return [{ type: "text", text }];
    }
    return part.text === "" ? [] : [{ type: "text", text: wellFormed(part.text) }];
  });
}

/** Texts and images apart, as for wires whose tool results are text. */
export function textAndImages(
  parts: readonly (TextPart | ImagePart)[],
): { readonly text: string; readonly images: readonly ImagePart[] } {
  return {
    text: parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n"),
    images: parts.filter((part) => part.type === "image"),
  };
}

export function dataUrl({ mediaType, data }: ImagePart): string {
  return `data:${mediaType};base64,${data}`;
}

/** Whether metadata of the message's parts goes back: only to the provider that made it. */
export function isOwn(message: AssistantMessage, target: Target): boolean {
  return message.provider === target.provider;
}

/** A string under `key` of a part's metadata; undefined where there is none or an empty one. */
export function kept(metadata: JsonObject | undefined, key: string): string | undefined {
  const value = metadata?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Every server wants an object; what the model wrote instead is shown to it as such. */
export function callInput(part: ToolUsePart): JsonObject {
  if (part.invalidText !== undefined) return { invalid_json: wellFormed(part.invalidText) };
  const input = wellFormedJson(part.input);
  return isJsonObject(input) ? input : { value: input };
}

function wellFormedJson(value: Json): Json {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [wellFormed(key), wellFormedJson(item)]),
  );
}
