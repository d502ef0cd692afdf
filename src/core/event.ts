/**
 * The events of a run: the records of JSON mode without their envelope.
 * One union of plain JSON; its JSON Schema ships, and tests check every printed line against it.
 */
import { hookOutcomes } from "./hook_run.ts";
import { z } from "./schema.ts";

const count = z.int().min(0);

/** The token counts of `usage.ts`. */
export const usageSchema = z.object({
  input_tokens: count.exactOptional(),
  output_tokens: count.exactOptional(),
  cache_read_tokens: count.exactOptional(),
  cache_write_tokens: count.exactOptional(),
  reasoning_tokens: count.exactOptional(),
  cost_usd: z.number().exactOptional(),
}).describe("Tokens as far as the provider reported them; input includes cached tokens.");

const step = count.describe("Number of the model request within the run, from 1.");
const model = z.string();
const hooks = z.array(
  z.object({
    name: z.string(),
    event: z.string(),
    ms: z.number().min(0),
    outcome: z.enum(hookOutcomes),
  }),
).optional().describe("Hooks and extensions that took part, in order.");
const toolCall = { step, tool_id: z.string(), tool_name: z.string() };

const statuses = ["done", "failed", "limit", "interrupted"] as const;
export const statusSchema = z.enum(statuses);
const status = statusSchema;
const exitCode = z.int().min(0).max(255);

export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session_start"),
    workspace: z.string(),
    provider: z.string().optional(),
    model: model.optional(),
    mode: z.enum(["act", "plan"]),
    resumed: z.boolean().optional(),
    sandbox: z.object({ mode: z.string(), net: z.string(), backend: z.string() }).optional()
      .describe("Where commands run; absent without --sandbox."),
  }).describe(
    "The first record, and in RPC mode the first of another session. Provider and model are missing " +
      "where none could be set up.",
  ),
  z.object({ type: z.literal("run_start"), prompt: z.string(), hooks })
    .describe("A prompt begins to be worked on."),
  z.object({
    type: z.literal("message"),
    role: z.enum(["user", "assistant"]),
    content: z.string(),
    model: model.optional(),
    final: z.boolean().optional(),
    source: z.string().optional()
      .describe("Who wrote a user's message, where no person or client did: hook:NAME."),
  }).describe("A whole message: the prompt, or the final answer of the run."),
  z.object({ type: z.literal("step_start"), step, model })
    .describe("A model request begins. The same step again: drop the deltas seen for it so far."),
  z.object({ type: z.literal("thinking_delta"), step, delta: z.string(), model })
    .describe("A piece of the model's thinking, where it shows any."),
  z.object({ type: z.literal("message_delta"), step, delta: z.string(), model })
    .describe("A piece of the model's text."),
  z.object({ type: z.literal("tool_call"), ...toolCall, input: z.json() })
    .describe("The model asked for a tool; exactly one tool_result follows."),
  z.object({ type: z.literal("tool_output_delta"), ...toolCall, delta: z.string() })
    .describe("Live output of a running tool."),
  z.object({
    type: z.literal("tool_result"),
    ...toolCall,
    output: z.string(),
    is_error: z.boolean(),
    duration_ms: z.number().min(0).optional(),
    files_changed: z.array(z.string()).optional()
      .describe("Paths within the workspace, of edit and write alone."),
    input: z.json().optional().describe("The arguments that ran, where hooks changed them."),
    hooks,
  }).describe("What the model is given; is_error also for what it can correct, as a wrong path."),
  z.object({
    type: z.literal("step_end"),
    step,
    model,
    duration_ms: z.number().min(0),
    usage: usageSchema,
  })
    .describe("The answer and the calls of a step are over."),
  z.object({
    type: z.literal("run_end"),
    answer: z.string().optional().describe("The final answer, also one that a limit cut off."),
    status,
    exit_code: exitCode,
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    provider: z.string().optional(),
    model: model.optional(),
    usage: usageSchema,
    cost_usd: z.number().optional().describe("As in usage."),
    duration_ms: z.number().min(0).optional(),
    steps: count,
    denials: count.describe("Tool calls that were refused for want of permission."),
    files_changed: z.array(z.string())
      .describe("What edit and write changed; not what commands did."),
    hooks,
  }).describe("The prompt's work is over."),
  z.object({
    type: z.literal("session_end"),
    success: z.boolean(),
    status,
    exit_code: exitCode,
  }).describe("The last record, on every path."),
  z.object({
    type: z.literal("error"),
    step: step.optional(),
    message: z.string(),
    code: z.string(),
  }).describe("What ended the run, or made a step fail for good."),
  z.object({
    type: z.literal("diagnostic"),
    level: z.enum(["info", "warning", "error"]),
    message: z.string(),
    step: step.optional(),
  }).describe("What a person should know but that fails nothing: retries, skipped files."),
  z.object({
    type: z.literal("queue"),
    action: z.enum(["enqueue", "dequeue", "clear"]),
    mode: z.enum(["steer", "follow_up"]).optional(),
    content: z.string().optional(),
    request_id: z.string().optional(),
    depth: count.describe("Inputs that wait after this action."),
  }).describe("RPC mode: input that waits for the running prompt came, went in, or was dropped."),
  z.object({
    type: z.literal("response"),
    id: z.string().describe("The command's id; empty where the line had none."),
    command: z.string().optional(),
    ok: z.boolean(),
    state: z.record(z.string(), z.json()).optional(),
    result: z.record(z.string(), z.json()).optional().describe("What the command asked for."),
    error: z.string().optional(),
  }).describe("RPC mode: the one answer to a command."),
  z.object({
    type: z.literal("approval_required"),
    request_id: z.string(),
    tool_name: z.string(),
    subject: z.string().describe("What would run: the whole command, or the arguments."),
    grant_key: z.string(),
    danger: z.string().optional().describe("What needs approval every time: runs rm."),
    asked_by: z.string().optional().describe("The hook or extension that asks, and why."),
    outside_sandbox: z.string().optional()
      .describe("It would run outside the sandbox: why, in the model's words."),
    involved: z.literal(true).optional().describe("The command is too involved to remember."),
    changed: z.literal(true).optional()
      .describe("The tool was allowed before, and is described in another way now."),
    answers: z.array(z.enum(["once", "session", "project", "deny"])),
  }).describe("RPC mode with permissions asked for: waits for an approve command."),
]);

/** One event of a run. */
export type AgentEvent = z.infer<typeof eventSchema>;
export type RunStatus = typeof statuses[number];

/**
 * Takes one event; the run waits for it, so order is certain and a slow reader slows the run.
 * Undefined: there is nothing to wait for.
 */
export type Emit = (event: AgentEvent) => Promise<void> | undefined;

/** What an event belongs to, where it exists already. */
export interface EventIds {
  readonly session_id?: string;
  /** One prompt's work, from `run_start` to `run_end`. */
  readonly run_id?: string;
  /** One message of the user within it; queued input begins a new one. */
  readonly turn_id?: string;
}

/** A front end's door for events. */
export type Sink = (event: AgentEvent, ids: EventIds) => Promise<void> | undefined;
