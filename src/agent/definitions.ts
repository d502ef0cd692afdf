/** The tools as they are offered to a model. */
import { isPlanSafe, type Mode } from "../core/capability.ts";
import type { ToolDefinition } from "../core/model.ts";
import type { AnyTool } from "../core/tool.ts";

/** The definitions of the tools that `mode` offers, in the tools' own order. */
export function toolDefinitions(tools: readonly AnyTool[], mode: Mode): ToolDefinition[] {
  return offeredTools(tools, mode).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input.jsonSchema,
  }));
}

export function offeredTools(tools: readonly AnyTool[], mode: Mode): AnyTool[] {
  return mode === "act" ? [...tools] : tools.filter((tool) => isPlanSafe(tool.capabilities));
}
