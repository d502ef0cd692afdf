/** The published schema of session records; loading has a quicker and more lenient check. */
import { usageSchema } from "../core/event.ts";
import { z } from "../core/schema.ts";

const object = z.record(z.string(), z.json());
const metadata = z.record(z.string(), object).optional()
  .describe("What a provider needs back verbatim, by the provider's name.");
const count = z.int().min(0);

const text = z.object({ type: z.literal("text"), text: z.string(), metadata });
const thinking = z.object({ type: z.literal("thinking"), text: z.string(), metadata });
const image = z.object({
  type: z.literal("image"),
  mediaType: z.string(),
  data: z.string().describe("base64"),
});
const toolUse = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.json(),
  invalidText: z.string().optional().describe("The argument text, where it is not valid JSON."),
  metadata,
});
const shown = z.array(z.discriminatedUnion("type", [text, image]));

/** One line of a session file. */
export const sessionRecordSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("session"),
    version: z.literal(1),
    id: z.string(),
    workspace: z.string().describe("Absolute real path of the folder the session belongs to."),
    created: z.string().describe("ISO 8601"),
    forked_from: z.string().optional().describe("The session that this one was copied from."),
  }).describe("The first line."),
  z.object({ kind: z.literal("user"), content: shown }),
  z.object({
    kind: z.literal("assistant"),
    content: z.array(z.discriminatedUnion("type", [text, thinking, toolUse])),
    provider: z.string(),
    model: z.string(),
    finish: z.enum(["stop", "length", "content_filter", "tool_calls", "error", "other"]),
    usage: usageSchema,
  }),
  z.object({
    kind: z.literal("tool_result"),
    toolId: z.string(),
    toolName: z.string(),
    content: shown,
    isError: z.boolean(),
  }),
  z.object({
    kind: z.literal("compaction"),
    summary: z.string(),
    kept: count.describe("How many of the messages in force stay verbatim, from the end."),
    tokens_before: count,
  }).describe("Older messages are replaced by the summary; the lines before stay as they are."),
  z.object({ kind: z.literal("name"), name: z.string() }).describe("The last one counts."),
  z.object({
    kind: z.literal("selection"),
    provider: z.string().optional(),
    model: z.string().optional(),
    thinking: z.string().optional(),
    mode: z.enum(["act", "plan"]).optional(),
  }).describe("Settings in force from here on; a missing key is unchanged."),
  z.object({ kind: z.literal("extension"), name: z.string(), data: object }),
]);
