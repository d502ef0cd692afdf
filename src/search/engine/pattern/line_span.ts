/** Whether a pattern asks for a line end, which no single line holds. */
import { canBeEmpty, childrenOf } from "./facts.ts";
import { readPattern } from "./read_pattern.ts";
import type { PatternNode } from "./tree.ts";

/** whole: no line can match · part: an alternative cannot · perhaps: it seems to ask for a line end */
export type LineSpan = "whole" | "part" | "perhaps";

/** Undefined for a pattern that is meant for single lines. */
export function lineSpanOf(pattern: string, caseInsensitive: boolean): LineSpan | undefined {
  const tree = readPattern(pattern, caseInsensitive);
  if (tree === undefined) return writtenLineEnd.test(pattern) ? "perhaps" : undefined;
  if (matchesNoLine(tree)) return "whole";
  return hasLostOption(tree) ? "part" : undefined;
}

/** A line end as it is written in patterns. */
const writtenLineEnd = /\n|\\(?:[nR]|x0?a|x\{0*a\}|cJ|012|o\{0*12\})/i;

/** LF is in no set of a tree, so that a set of LF alone is empty. */
function matchesNoLine(node: PatternNode): boolean {
  switch (node.kind) {
    case "set":
      return node.set.length === 0;
    case "sequence":
      return node.items.some(matchesNoLine) || crossesLines(node.items);
    case "choice":
      return node.options.every(matchesNoLine);
    case "group":
      return matchesNoLine(node.body);
    case "repeat":
      return node.min > 0 && matchesNoLine(node.body);
    case "look":
      return !node.negative && matchesNoLine(node.body);
    case "assertion":
    case "backreference":
      return false;
  }
}

/** Something that takes characters before the start of a line, or after its end. */
function crossesLines(items: readonly PatternNode[]): boolean {
  const isAt = (item: PatternNode, at: "start" | "end") =>
    item.kind === "assertion" && item.at === at;
  const lastStart = items.findLastIndex((item) => isAt(item, "start"));
  const firstEnd = items.findIndex((item) => isAt(item, "end"));
  return items.slice(0, Math.max(0, lastStart)).some((item) => !canBeEmpty(item)) ||
    firstEnd >= 0 && items.slice(firstEnd).some((item) => !canBeEmpty(item));
}

function hasLostOption(node: PatternNode): boolean {
  return node.kind === "choice" && node.options.some(matchesNoLine) ||
    childrenOf(node).some(hasLostOption);
}
