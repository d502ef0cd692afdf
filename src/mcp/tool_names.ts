/** What a server's tools are called for the model: names that are unique, and the same in every run. */
import { digestOf } from "../core/digest.ts";

const maxName = 64, markLength = 8;

/** How the names of all tools of a server begin. */
export function namePrefix(server: string): string {
  return `mcp__${server}__`;
}

/**
 * The names of `tools`, which are in the order of their own names. One that had to be changed, or that is an
 * earlier one but for case, ends in a mark of its own.
 */
export function toolNames(server: string, tools: readonly string[]): string[] {
  const taken = new Set<string>();
  const names: string[] = [];
  for (const tool of tools) {
    const own = namePrefix(server) + tool;
    const isFine = /^[\w-]*$/.test(tool) && own.length <= maxName && !taken.has(own.toLowerCase());
    const name = isFine ? own : marked(server, tool);
    taken.add(name.toLowerCase());
    names.push(name);
  }
  return names;
}

function marked(server: string, tool: string): string {
  const plain = namePrefix(server) + tool.replace(/[^\w-]/gu, "_");
  return `${plain.slice(0, maxName - markLength - 1)}_${digestOf(tool).slice(0, markLength)}`;
}
