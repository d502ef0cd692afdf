/** The list of the tools in effect, for people and as JSON. */
import { offeredTools } from "../agent/definitions.ts";
import type { Mode } from "../core/capability.ts";
import type { AnyTool } from "../core/tool.ts";
import { toLine } from "../lib/jsonl.ts";
import { onOneLine } from "../lib/trim.ts";
import { visible } from "../lib/visible.ts";
import type { Toolset } from "./toolset.ts";

/** Whole text with a line feed at its end. */
export function listTools(toolset: Toolset, mode: Mode, json: boolean): string {
  const tools = offeredTools(toolset.tools, mode);
  if (json) return toLine({ tools: tools.map(toolEntry), skipped: toolset.skipped });
  const texts = tools.map(toolText);
  const skipped = toolset.skipped.map(({ manifest, reason }) => `skipped ${manifest}: ${reason}\n`);
  return visible([...texts, skipped.join("")].filter((text) => text !== "").join("\n")) ||
    "No tools.\n";
}

export function toolEntry(tool: AnyTool) {
  return {
    name: tool.name,
    description: tool.description,
    origin: tool.origin,
    capabilities: tool.capabilities,
    input_schema: tool.input.jsonSchema,
  };
}

function toolText(tool: AnyTool): string {
  const { origin } = tool;
  const lines = [
    `${tool.name} (${tool.capabilities.join(", ")})`,
    `  ${onOneLine(tool.description)}`,
  ];
  switch (origin.kind) {
    case "built-in":
      lines.push("  origin: built-in");
      break;
    case "external":
      lines.push(`  origin: ${origin.scope}, ${origin.manifest}`);
      for (const shadowed of origin.shadows) lines.push(`  replaces: ${shadowed}`);
      break;
    case "extension":
      lines.push(`  origin: extension ${origin.name}`);
  }
  lines.push(`  schema: ${JSON.stringify(tool.input.jsonSchema)}`);
  return lines.map((line) => `${line}\n`).join("");
}
