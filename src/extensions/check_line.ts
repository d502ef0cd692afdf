/** Checks what an extension writes; the published schema says the same in `protocol.ts`. */
import { capabilities } from "../core/capability.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { FromExtension } from "./protocol.ts";
import {
  anyObject,
  anything,
  boolean,
  type Check,
  either,
  integer,
  list,
  object,
  oneOf,
  problemsOf,
  text,
  textLike,
} from "./shape.ts";

const id = textLike(/^[A-Za-z0-9_.:-]{1,64}$/, "1 to 64 letters, digits and _ . : -");
const isText = (value: unknown) => typeof value === "string";

const tool = object({
  isStrict: true,
  required: {
    name: textLike(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -"),
    description: text,
    input_schema: anyObject,
  },
  optional: { capabilities: list(oneOf(...capabilities)) },
});

const command = object({
  isStrict: true,
  required: {
    name: textLike(/^[a-z0-9][a-z0-9_-]{0,31}$/, "1 to 32 lower-case letters, digits, _ and -"),
  },
  optional: { description: text },
});

const subscription = either(
  text,
  isText,
  object({
    isStrict: true,
    required: { event: text },
    optional: { matcher: text, answers: boolean },
  }),
);

const effects = {
  status: object({ required: { key: text, text } }),
  notification: object({
    required: { level: oneOf("info", "warning", "error"), message: text },
  }),
  entry: anyObject,
  user_message: object({
    required: { content: text, deliver_as: oneOf("now", "steer", "follow_up") },
  }),
  widget: anything,
};

const block = either(
  object({ required: { type: oneOf("text"), text } }),
  (value) => isJsonObject(value) && value.type === "text",
  object({
    required: { type: oneOf("text", "image") },
    optional: { mimeType: text, data: text, path: text },
  }),
);

const lines = new Map<string, Check>([
  [
    "register",
    object({
      isStrict: true,
      required: { type: anything },
      optional: {
        version: oneOf(1),
        tools: list(tool, { most: 64 }),
        commands: list(command, { most: 64 }),
        events: list(subscription, { most: 64 }),
      },
    }),
  ],
  [
    "response",
    object({
      required: { id },
      optional: {
        error: text,
        content: list(block),
        is_error: boolean,
        message: text,
        prompt: text,
        session: object({
          required: { action: oneOf("new", "fork", "switch", "compact") },
          optional: { id: text, instruction: text },
        }),
        reload: boolean,
        allow: boolean,
        reason: text,
        ask: boolean,
        approve: boolean,
        arguments: anyObject,
        context: text,
        output: text,
        system: list(text),
        messages: list(anyObject),
        instruction: text,
        compaction: object({
          required: { summary: text, first_kept_index: integer(0) },
          optional: { details: anyObject },
        }),
        ...effects,
      },
    }),
  ],
  ["tool_update", object({ required: { id, content: text } })],
  ["update", object({ optional: effects })],
  [
    "ui_request",
    object({
      required: { id, method: oneOf("question", "confirm", "input", "password"), prompt: text },
      optional: { parent: id, options: list(text, { least: 2, most: 20 }) },
    }),
  ],
  [
    "host_request",
    object({ required: { id, method: text }, optional: { parent: id, name: text } }),
  ],
]);

export type CheckedLine =
  | { readonly message: FromExtension }
  | { readonly problems: readonly string[] };

/** Undefined for a line of no type that there is. */
export function checkLine(value: JsonObject): CheckedLine | undefined {
  const check = typeof value.type === "string" ? lines.get(value.type) : undefined;
  if (check === undefined) return undefined;
  const problems = problemsOf(check, value);
  return problems.length > 0 ? { problems } : { message: value as unknown as FromExtension };
}
