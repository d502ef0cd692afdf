/** Which of several tools with one name counts. */
import type { AnyTool } from "../core/tool.ts";

/** Providers take no more in one request. */
const maxToolsInAll = 128;

/**
 * `others` and the tools of extensions, which are in the extensions' order. Names are compared without
 * case; built-in tools and those of servers stay, of others the later one counts.
 */
export function mergedTools(
  others: readonly AnyTool[],
  own: readonly (readonly AnyTool[])[],
  warn: (sentence: string) => void,
): readonly AnyTool[] {
  const all = new Map(others.map((tool) => [tool.name.toLowerCase(), tool]));
  for (const tools of own) {
    for (const tool of [...tools].sort((a, b) => a.name < b.name ? -1 : 1)) {
      const key = tool.name.toLowerCase();
      const before = all.get(key);
      if (key.startsWith("mcp__")) {
        warn(`${whoseOf(tool)} is skipped: names with mcp__ are for the tools of servers`);
      } else if (before?.origin.kind === "built-in") {
        warn(`${whoseOf(tool)} is skipped: it is the name of a built-in tool`);
      } else {
        if (before !== undefined && before !== tool) {
          warn(`${whoseOf(tool)} replaces ${whoseOf(before)}`);
        }
        all.delete(key);
        all.set(key, tool);
      }
    }
  }
  const merged = [...all.values()];
  if (merged.length > maxToolsInAll) {
    warn(
      `${merged.length - maxToolsInAll} of ${merged.length} tools are left out, from ` +
        `${
          merged[maxToolsInAll]!.name
        } on, as a request takes ${maxToolsInAll}; choose with --tools`,
    );
  }
  return merged.slice(0, maxToolsInAll);
}

function whoseOf({ name, origin }: AnyTool): string {
  switch (origin.kind) {
    case "extension":
      return `the tool ${name} of the extension ${origin.name}`;
    case "external":
      return `the tool ${name} of ${origin.manifest}`;
    case "mcp":
      return `the tool ${name} of the MCP server ${origin.server}`;
    case "built-in":
      return `the built-in tool ${name}`;
  }
}
