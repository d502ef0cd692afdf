/**
 * Runs one tool call: find, parse, mode, permission, run, cap.
 * The only place that turns throws, aborts, denials and bugs into a result.
 */
import { isPlanSafe } from "../core/capability.ts";
import { coerce } from "../core/coerce.ts";
import { messageOf, ToolFailure, type ToolFailureCode } from "../core/failure.ts";
import { interruptionOf } from "../core/interruption.ts";
import { isDeeper, isJsonObject, type Json, maxJsonLevels, parseJson } from "../core/json.ts";
import type { ToolUsePart } from "../core/message.ts";
import type { AnyTool, ToolContext, ToolOutput } from "../core/tool.ts";
import { capMiddle } from "../lib/well_formed.ts";
import { liveOutput } from "./live_output.ts";
import { readArguments } from "./read_arguments.ts";
import type { CallContext } from "./run_context.ts";

export interface CallResult extends ToolOutput {
  readonly isError: boolean;
  readonly denied: boolean;
  /** How long the tool ran; 0 for a call that did not run. */
  readonly durationMs: number;
  /** What of the call was read another way than it was written; not part of `text`. */
  readonly notes: readonly string[];
}

/** A bound for tools that have none of their own; what a tool may keep of its output always fits. */
const maxResultBytes = 1024 * 1024;
const headBytes = 4096;
/** A failure quotes the arguments, which may be of any length. */
const maxFailureBytes = 8 * 1024;
/** Failures that hold a program's output, which has its own bound. */
const codesWithOutput: readonly ToolFailureCode[] = ["timeout", "interrupted", "tool_failed"];
/** Live output of one call, as a multiple of what its result may hold. */
const liveOutputShare = 20;

/** Runs one call to its result; never throws but for a live output whose reader has gone. */
export async function dispatch(
  call: ToolUsePart,
  tools: readonly AnyTool[],
  context: CallContext,
  announceDelta: (delta: string) => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<CallResult> {
  const { host, workspace, nimletHome, childEnv, limits, fileChanged } = context;
  const { clock } = host;
  const stop = new AbortController();
  const live = liveOutput(
    announceDelta,
    limits.maxOutputBytes * liveOutputShare,
    (error) => stop.abort(error),
  );
  const toolContext: ToolContext = {
    workspace,
    nimletHome,
    host,
    childEnv,
    limits,
    signal: AbortSignal.any([signal, stop.signal]),
    progress: live.push,
    ...fileChanged === undefined ? {} : { fileChanged },
  };
  let startMs: number | undefined;
  let outcome: Outcome;
  const notes = [...call.notes ?? []];
  try {
    const { tool, input, key } = await admitted(call, tools, context, notes, toolContext.signal);
    // from here on: the time that a person took to decide is no time of the call
    startMs = clock.monotonic();
    const limit = key === undefined ? {} : { permittedKey: key };
    const output = await tool.run(input, { ...toolContext, ...limit });
    const seen = context.afterTool ? await context.afterTool(tool, input, output) : output;
    outcome = { ...seen, isError: false, denied: false };
  } catch (error) {
    const denied = error instanceof ToolFailure && error.code === "approval_denied";
    outcome = { text: failureText(call, error, toolContext.signal), isError: true, denied };
  }
  await live.drain();
  return {
    ...outcome,
    text: capMiddle(
      outcome.text.toWellFormed(),
      Math.max(maxResultBytes, limits.maxOutputBytes + headBytes),
    ),
    notes,
    durationMs: startMs === undefined ? 0 : Math.round((clock.monotonic() - startMs) * 10) / 10,
  };
}

type Outcome = Omit<CallResult, "durationMs" | "notes">;

/** The tool with arguments that it takes. Throws `ToolFailure` where the call may not run. */
async function admitted(
  call: ToolUsePart,
  tools: readonly AnyTool[],
  context: CallContext,
  notes: string[],
  signal: AbortSignal,
): Promise<{ readonly tool: AnyTool; readonly input: unknown; readonly key?: string }> {
  if (signal.aborted) throw interrupted(signal);
  const tool = findTool(call, tools);
  const input = await parseInput(tool, call, notes, signal);
  checkMode(tool, context);
  const decision = await context.permission.check(tool, input as Json, signal);
  if (!decision.allowed) {
    throw new ToolFailure("approval_denied", `approval_denied: ${decision.reason}`);
  }
  if (signal.aborted) throw interrupted(signal);
  return { tool, input, ...(decision.key === undefined ? {} : { key: decision.key }) };
}

function findTool(call: ToolUsePart, tools: readonly AnyTool[]): AnyTool {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool) return tool;
  const names = tools.map((candidate) => candidate.name).join(", ");
  throw new ToolFailure(
    "unknown_tool",
    `unknown_tool: there is no tool named ${JSON.stringify(call.name)}; the tools are ${
      names || "none"
    }`,
  );
}

async function parseInput(
  tool: AnyTool,
  call: ToolUsePart,
  notes: string[],
  signal: AbortSignal,
): Promise<unknown> {
  if (call.invalidText !== undefined) {
    throw new ToolFailure(
      "invalid_arguments",
      `invalid_arguments: expected a JSON object, found ${jsonProblem(call.invalidText)}`,
    );
  }
  const raw = typeof call.input === "string" ? parseNested(call.input, notes) : call.input;
  if (isDeeper(raw, maxJsonLevels)) {
    throw new ToolFailure(
      "invalid_arguments",
      `invalid_arguments: expected a JSON object, found ${tooDeep}`,
    );
  }
  if (!isJsonObject(raw)) {
    throw new ToolFailure("invalid_arguments", "invalid_arguments: expected a JSON object");
  }
  const parsed = await tool.input.parse(coerce(raw, tool.input.jsonSchema, notes), signal);
  if ("input" in parsed) return parsed.input;
  throw new ToolFailure("invalid_arguments", `invalid_arguments: ${parsed.problems.join("; ")}`);
}

/** Some servers encode the arguments twice. */
function parseNested(text: string, notes: string[]): Json {
  const read = readArguments(text);
  if ("invalidText" in read) return parseJson(text) ?? text;
  notes.push("the arguments came as a text that holds their JSON", ...read.notes);
  return read.input;
}

const tooDeep = `values nested more than ${maxJsonLevels} levels deep`;

function jsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return tooDeep;
  } catch (error) {
    return `text that is not JSON: ${messageOf(error)}`;
  }
}

function checkMode(tool: AnyTool, context: CallContext): void {
  if (context.mode() !== "plan" || isPlanSafe(tool.capabilities)) return;
  throw new ToolFailure(
    "unavailable",
    `Tool unavailable in plan mode. ${tool.name} can change things; plan with the read-only tools, ` +
      "and leave the change for act mode.",
  );
}

function interrupted(signal: AbortSignal): ToolFailure {
  return new ToolFailure(
    "interrupted",
    `INTERRUPTED (${interruptionOf(signal).message}): the call was not run`,
  );
}

function failureText(call: ToolUsePart, error: unknown, signal: AbortSignal): string {
  if (error instanceof ToolFailure) {
    return codesWithOutput.includes(error.code)
      ? error.message
      : capMiddle(error.message, maxFailureBytes);
  }
  if (signal.aborted) return `INTERRUPTED (${interruptionOf(signal).message})`;
  return capMiddle(`${call.name} failed unexpectedly: ${messageOf(error)}`, maxFailureBytes);
}
