/** The list of the tools in effect, for people and as JSON. */
import { offeredTools } from "../agent/definitions.ts";
import type { Mode } from "../core/capability.ts";
import { RunFailure } from "../core/failure.ts";
import type { AnyTool } from "../core/tool.ts";
import { toLine } from "../lib/jsonl.ts";
import { nearest } from "../lib/nearest.ts";
import { onOneLine } from "../lib/trim.ts";
import { visible } from "../lib/visible.ts";
import type { Toolset } from "./toolset.ts";

/** One line a tool; whole text with a line feed at its end. With `json` all that is known of each. */
export function listTools(toolset: Toolset, mode: Mode, json: boolean): string {
  const tools = offeredTools(toolset.tools, mode);
  if (json) return toLine({ tools: tools.map(toolEntry), skipped: toolset.skipped });
  const rows = tools.map((tool) => [tool.name, `(${tool.capabilities.join(", ")})`, origin(tool)]);
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]!.length)));
  const lines = rows.map(([name = "", can = "", from = ""]) =>
    `${name.padEnd(widths[0]!)}  ${can.padEnd(widths[1]!)}  ${from}`
  );
  if (tools.length === 0) lines.push("No tools.");
  lines.push(...toolset.skipped.map(({ manifest, reason }) => `skipped ${manifest}: ${reason}`));
  if (tools.length > 0) lines.push("--list-tools NAME prints a tool's description and schema.");
  return visible(`${lines.join("\n")}\n`);
}

/** One tool with its description and schema. Throws `RunFailure("usage")` for an unknown one. */
export function showTool(toolset: Toolset, mode: Mode, name: string, json: boolean): string {
  const tools = offeredTools(toolset.tools, mode);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name);
    const meant = nearest(name, names);
    throw new RunFailure(
      "usage",
      `--list-tools: there is no tool named ${JSON.stringify(name)}; ` +
        (meant === undefined ? `the tools are ${names.join(", ")}` : `did you mean ${meant}?`),
    );
  }
  return json ? toLine(toolEntry(tool)) : visible(toolText(tool));
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

function origin(tool: AnyTool): string {
  const { origin } = tool;
  switch (origin.kind) {
    case "built-in":
      return "built-in";
    case "external": {
      const replaced = origin.shadows.map((path) => `, replaces ${path}`).join("");
      return `${origin.scope}, ${origin.manifest}${replaced}`;
    }
    case "extension":
      return `extension ${origin.name}`;
    case "mcp": {
      const own = tool.name.endsWith(`__${origin.tool}`) ? [] : [`there ${origin.tool}`];
      return [`mcp ${origin.server}, ${origin.file}`, ...own, ...origin.hints].join(", ");
    }
  }
}

function toolText(tool: AnyTool): string {
  return [
    `${tool.name} (${tool.capabilities.join(", ")})`,
    `  ${onOneLine(tool.description)}`,
    `  origin: ${origin(tool)}`,
    `  schema: ${JSON.stringify(tool.input.jsonSchema, null, 2).replaceAll("\n", "\n  ")}`,
  ].map((line) => `${line}\n`).join("");
}
