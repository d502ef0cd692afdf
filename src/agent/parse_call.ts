/** Reads one call: the tool that it names, its arguments, and whether the mode allows it. */
import { isPlanSafe } from "../core/capability.ts";
import { coerce } from "../core/coerce.ts";
import { messageOf, ToolFailure } from "../core/failure.ts";
import { isDeeper, isJsonObject, type Json, maxJsonLevels, parseJson } from "../core/json.ts";
import type { ToolUsePart } from "../core/message.ts";
import type { AnyTool } from "../core/tool.ts";
import { readArguments } from "./read_arguments.ts";
import type { CallContext } from "./run_context.ts";

/** The tool that a call names. Throws `ToolFailure`. */
export function findTool(call: ToolUsePart, tools: readonly AnyTool[]): AnyTool {
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

/** The arguments as the tool takes them; what was read leniently goes to `notes`. Throws `ToolFailure`. */
export async function parseInput(
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

/** Throws `ToolFailure` for what plan mode does not allow. */
export function checkMode(tool: AnyTool, context: CallContext): void {
  if (context.mode() !== "plan" || isPlanSafe(tool.capabilities)) return;
  throw new ToolFailure(
    "unavailable",
    `Tool unavailable in plan mode. ${tool.name} can change things; plan with the read-only tools, ` +
      "and leave the change for act mode.",
  );
}
