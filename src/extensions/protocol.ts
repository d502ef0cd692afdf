/**
 * The lines between nimlet and an extension, version 1: one JSON object each. The published JSON Schema
 * and the types are made from here; `check_line.ts` checks what an extension writes.
 */
import { capabilities } from "../core/capability.ts";
import { z } from "../core/schema.ts";

export const protocolVersion = 1;

const object = z.record(z.string(), z.json());
const id = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/).describe(
  "Of a request: 1 to 64 letters, digits and _ . : -; each side has its own.",
);
const mode = z.enum(["act", "plan"]);

export const eventNames = [
  "tool_call",
  "tool_result",
  "turn_start",
  "turn_end",
  "context",
  "session_start",
  "session_end",
  "session_before_compact",
  "session_compact",
] as const;
export type EventName = typeof eventNames[number];

/** What nimlet writes. */
export const toExtension = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("initialize"),
    version: z.literal(protocolVersion),
    workspace: z.string(),
    session_id: z.string().nullable(),
    mode,
    front: z.enum(["console", "print", "json", "rpc"]),
    nimlet: z.string().describe("Its version."),
  }).describe("The first line; answered by register."),
  z.object({
    type: z.literal("tool"),
    id,
    name: z.string(),
    arguments: object,
    context: z.object({
      session_id: z.string().nullable(),
      run_id: z.string().nullable(),
      tool_id: z.string().nullable(),
      mode,
    }),
  }).describe("A tool is called; the arguments fit its schema."),
  z.object({
    type: z.literal("command"),
    id,
    name: z.string(),
    arguments: z.string(),
    context: z.object({
      mode,
      workspace: z.string(),
      session_id: z.string().nullable(),
      provider: z.string(),
      model: z.string(),
      messages: z.array(object).describe("The newest that fit into 1 MiB, without images."),
    }),
  }).describe("A person or client has typed /name and what follows."),
  z.object({
    type: z.literal("event"),
    id: id.exactOptional(),
    event: z.enum(eventNames),
    payload: object,
  }).describe("Something happens. Without an id no answer is wanted."),
  z.object({ type: z.literal("cancel"), id })
    .describe("The answer to that request is not waited for any more."),
  z.object({
    type: z.literal("ui_response"),
    id,
    cancelled: z.boolean(),
    value: z.union([z.string(), z.boolean()]).exactOptional(),
  }).describe("The answer to a ui_request; always cancelled."),
  z.object({
    type: z.literal("host_response"),
    id,
    ok: z.boolean(),
    result: object.exactOptional(),
    error: z.string().exactOptional(),
  }).describe("The answer to a host_request."),
  z.object({
    type: z.literal("shutdown"),
    reason: z.enum(["end", "reload", "session", "trust"]),
  }).describe("The last line; the end of stdin follows."),
]);

export type ToExtension = z.infer<typeof toExtension>;
export type ShutdownReason = Extract<ToExtension, { type: "shutdown" }>["reason"];

const toolName = /^[A-Za-z0-9_-]{1,64}$/;
const commandName = /^[a-z0-9][a-z0-9_-]{0,31}$/;

const subscription = z.union([
  z.string(),
  z.strictObject({
    event: z.string(),
    matcher: z.string().exactOptional().describe("Names or an expression, as those of hooks."),
    answers: z.boolean().exactOptional().describe("false: it is sent, and no answer is wanted."),
  }),
]);

const register = z.strictObject({
  type: z.literal("register"),
  version: z.literal(protocolVersion).exactOptional(),
  tools: z.array(z.strictObject({
    name: z.string().regex(toolName, "expected 1 to 64 letters, digits, _ and -"),
    description: z.string(),
    input_schema: object,
    capabilities: z.array(z.enum(capabilities)).exactOptional()
      .describe("Missing or empty counts as write, shell and network."),
  })).max(64).exactOptional(),
  commands: z.array(z.strictObject({
    name: z.string().regex(commandName, "expected 1 to 32 lower-case letters, digits, _ and -"),
    description: z.string().exactOptional(),
  })).max(64).exactOptional(),
  events: z.array(subscription).max(64).exactOptional()
    .describe("Names, or what is wanted of them. Unknown events never fire."),
}).describe("Once, as the answer to initialize: what the extension offers and listens to.");

/** What an extension may say beside an answer, or in an update. */
const effects = {
  status: z.object({ key: z.string(), text: z.string() }).exactOptional()
    .describe("A line of state, at most 200 characters; an empty text takes it away."),
  notification: z.object({
    level: z.enum(["info", "warning", "error"]),
    message: z.string(),
  }).exactOptional().describe("For the person."),
  entry: object.exactOptional()
    .describe("Kept in the session, at most 64 KiB, never sent to the model."),
  user_message: z.object({
    content: z.string(),
    deliver_as: z.enum(["now", "steer", "follow_up"]),
  }).exactOptional().describe("A message to the model."),
  widget: z.json().exactOptional().describe("Accepted, and ignored."),
};

const toolContent = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("image"),
    mimeType: z.string().exactOptional(),
    data: z.string().exactOptional().describe("base64"),
    path: z.string().exactOptional().describe("In the workspace or the extension's folder."),
  }),
]);

const response = z.object({
  type: z.literal("response"),
  id,
  error: z.string().exactOptional().describe("The request failed."),
  content: z.array(toolContent).exactOptional().describe("Of a tool."),
  is_error: z.boolean().exactOptional().describe("Of a tool, or for the event tool_result."),
  message: z.string().exactOptional().describe("Of a command: shown as the answer."),
  prompt: z.string().exactOptional().describe("Of a command: sent to the model, as it is."),
  session: z.object({
    action: z.enum(["new", "fork", "switch", "compact"]),
    id: z.string().exactOptional(),
    instruction: z.string().exactOptional(),
  }).exactOptional().describe("Of a command."),
  reload: z.boolean().exactOptional().describe(
    "Of a command: settings and extensions are read again.",
  ),
  allow: z.boolean().exactOptional().describe("false denies a call, or a compaction."),
  reason: z.string().exactOptional(),
  ask: z.boolean().exactOptional().describe("A person is to be asked about the call."),
  approve: z.boolean().exactOptional().describe("The call needs no question; not of a project's."),
  arguments: object.exactOptional().describe("The whole new arguments of the call."),
  context: z.string().exactOptional().describe("Text for the model, after the result."),
  output: z.string().exactOptional().describe("Takes the result's place."),
  system: z.array(z.string()).exactOptional().describe("Texts after the system prompt."),
  messages: z.array(object).exactOptional().describe("The messages of this request alone."),
  instruction: z.string().exactOptional().describe("What the summary is to dwell on."),
  compaction: z.object({
    summary: z.string(),
    first_kept_index: z.int().min(0),
    details: object.exactOptional(),
  }).exactOptional().describe("The summary itself."),
  ...effects,
}).describe("The answer to a tool, a command or an event.");

/** What an extension writes. */
export const fromExtension = z.discriminatedUnion("type", [
  register,
  response,
  z.object({ type: z.literal("tool_update"), id, content: z.string() })
    .describe("Live output of a call."),
  z.object({ type: z.literal("update"), ...effects }).describe("Side effects alone."),
  z.object({
    type: z.literal("ui_request"),
    id,
    parent: id.exactOptional(),
    method: z.enum(["question", "confirm", "input", "password"]),
    prompt: z.string(),
    options: z.array(z.string()).min(2).max(20).exactOptional(),
  }).describe("A question to the person; always cancelled."),
  z.object({
    type: z.literal("host_request"),
    id,
    parent: id.exactOptional(),
    method: z.string().describe("session.info, session.name or context.usage"),
    name: z.string().exactOptional(),
  }).describe("A question to nimlet."),
]);

export type FromExtension = z.infer<typeof fromExtension>;
export type Registration = z.infer<typeof register>;
export type Response = z.infer<typeof response>;
export type Effects = Pick<Response, "status" | "notification" | "entry" | "user_message">;
export type HostRequest = Extract<FromExtension, { type: "host_request" }>;
