/** The files that a client sends with a prompt: their form, and its schema. */
import type { AttachmentSource } from "../../core/conversation.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

const forms = "a path, or an object with path, or with name and text or data";

/** What is wrong with a field `attachments`, for the end of a sentence that begins with its name. */
export function attachmentsProblem(value: Json | undefined): string | undefined {
  if (!Array.isArray(value)) return ": expected an array";
  for (const [index, item] of value.entries()) {
    if (sourceOf(item) === undefined) return `[${index}]: expected ${forms}`;
  }
  return undefined;
}

/** Of a field without a problem. */
export function attachmentsOf(value: Json | undefined): AttachmentSource[] {
  return Array.isArray(value) ? value.flatMap((item) => sourceOf(item) ?? []) : [];
}

function sourceOf(item: Json): AttachmentSource | undefined {
  if (typeof item === "string") return item === "" ? undefined : { path: item };
  if (!isJsonObject(item)) return undefined;
  const { path, name, text, data } = item;
  const given = (value: Json | undefined) => value !== undefined;
  if (given(path)) {
    if (given(name) || given(text) || given(data)) return undefined;
    return typeof path === "string" && path !== "" ? { path } : undefined;
  }
  if (typeof name !== "string" || name === "" || given(text) === given(data)) return undefined;
  if (typeof text === "string") return { name, text };
  return typeof data === "string" ? { name, data } : undefined;
}

export function attachmentsSchema(): JsonObject {
  const word = { type: "string", minLength: 1 };
  const one = (properties: JsonObject, ...others: string[]): JsonObject => ({
    type: "object",
    properties: {
      ...properties,
      ...Object.fromEntries(others.map((key) => [key, false])),
    },
    required: Object.keys(properties),
  });
  return {
    type: ["array", "null"],
    description: "Texts and images that go with the message: files, or their content.",
    items: {
      oneOf: [
        { ...word, description: "A file's path, relative to the workspace." },
        one({ path: word }, "name", "text", "data"),
        one({ name: word, text: { type: "string" } }, "path", "data"),
        one(
          { name: word, data: { type: "string", description: "base64" } },
          "path",
          "text",
        ),
      ],
    },
  };
}
