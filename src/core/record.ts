/**
 * The records of a session file: one JSON object a line, only ever appended.
 * The docs and the published schema are made from here; loading checks quicker and more leniently.
 */
import { usageSchema } from "./event.ts";
import { z } from "./schema.ts";

const object = z.record(z.string(), z.json());
const count = z.int().min(0);
const metadata = object.exactOptional()
  .describe("What the provider needs back with the part, verbatim.");

const text = z.object({ type: z.literal("text"), text: z.string(), metadata });
const thinking = z.object({ type: z.literal("thinking"), text: z.string(), metadata });
const image = z.object({
  type: z.literal("image"),
  media_type: z.string(),
  data: z.string().describe("base64"),
});
const toolUse = z.object({
  type: z.literal("tool_use"),
  id: z.string().describe("Unique within the conversation."),
  name: z.string(),
  input: z.json(),
  invalid_text: z.string().exactOptional()
    .describe("The argument text, where it is not valid JSON."),
  metadata,
});
const shown = z.array(z.discriminatedUnion("type", [text, image]));

/** One line of a session file. */
export const sessionRecordSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("session"),
    version: z.literal(2),
    id: z.string(),
    workspace: z.string().describe("Absolute real path of the folder the session belongs to."),
    created: z.string().describe("ISO 8601"),
    forked_from: z.string().exactOptional().describe("The session that this one was copied from."),
  }).describe(
    "The first line; version is 2, and forked_from names the original of a copy. " +
      "A later one names the folder that the session has moved to.",
  ),
  z.object({
    kind: z.literal("user"),
    content: shown,
    origin: z.string().exactOptional()
      .describe("Who wrote it, where no person or client did: hook:NAME."),
  }).describe("A prompt or queued input: parts text and image."),
  z.object({
    kind: z.literal("assistant"),
    content: z.array(z.discriminatedUnion("type", [text, thinking, toolUse])),
    provider: z.string(),
    model: z.string(),
    finish: z.enum(["stop", "length", "content_filter", "tool_calls", "error", "other"]),
    usage: usageSchema,
  }).describe("An answer of the model: parts text, thinking and tool_use."),
  z.object({
    kind: z.literal("tool_result"),
    tool_id: z.string(),
    tool_name: z.string(),
    content: shown,
    is_error: z.boolean(),
  }).describe("The result of the call whose id is tool_id: parts text and image."),
  z.object({
    kind: z.literal("compaction"),
    summary: z.string(),
    kept: count.describe("How many of the messages in force stay verbatim, from the end."),
    tokens_before: count,
    usage: usageSchema.exactOptional().describe("Of the requests for the summary."),
  }).describe(
    "The summary replaces older messages but for the last ones, as many as kept says; " +
      "the lines before stay as they are.",
  ),
  z.object({ kind: z.literal("name"), name: z.string() }).describe(
    "The session's name. The last one counts; a long session repeats it, so that lists find it.",
  ),
  z.object({
    kind: z.literal("selection"),
    provider: z.string().exactOptional(),
    model: z.string().exactOptional(),
    thinking: z.string().exactOptional(),
    mode: z.enum(["act", "plan"]).exactOptional(),
  }).describe("Settings in force from here on; a missing key is unchanged."),
  z.object({ kind: z.literal("extension"), name: z.string(), data: object })
    .describe("What an extension keeps."),
]);

export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export type RecordOf<Kind extends SessionRecord["kind"]> = Extract<SessionRecord, { kind: Kind }>;

/** A part of a prompt or result. */
export type ShownPart = RecordOf<"user">["content"][number];
/** A part of an answer. */
export type AnswerPart = RecordOf<"assistant">["content"][number];
export type CallPart = Extract<AnswerPart, { type: "tool_use" }>;

/** Where records go. `append` resolves when the record is in the file (record, then announce). */
export interface Journal {
  append(record: SessionRecord): Promise<void>;
}
