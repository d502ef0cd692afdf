/**
 * Proves that V8's engine gives the same answers as PCRE2 for a pattern that was read. What
 * remains after reading are the places where both are backtracking engines but differ in detail.
 */
import { canBeEmpty, childrenOf, fixedLength } from "./facts.ts";
import type { PatternNode } from "./tree.ts";

/** Largest number of characters in the pattern once its counted repeats are written out. */
const maxSize = 2000;

export function hasSameMeaning(tree: PatternNode): boolean {
  return sizeOf(tree) <= maxSize && isSame(tree) && referencesAreSafe(tree, new Set());
}

function isSame(node: PatternNode): boolean {
  switch (node.kind) {
    case "group":
      if (node.atomic) return false;
      break;
    case "repeat":
      // An iteration that takes nothing ends the loop in PCRE2 and is taken back in JavaScript.
      if (node.mode === "possessive" || (node.max > 1 && canBeEmpty(node.body))) return false;
      break;
    case "look":
      if (!node.ahead && !isPlainLookbehind(node.body)) return false;
      break;
    case "set":
    case "sequence":
    case "choice":
    case "assertion":
    case "backreference":
      break;
  }
  return childrenOf(node).every(isSame);
}

/** JavaScript matches these backwards, which shows in captures and nested looks; PCRE2 wants a length. */
function isPlainLookbehind(body: PatternNode): boolean {
  const options = body.kind === "choice" ? body.options : [body];
  return options.every((option) => fixedLength(option) !== undefined && isPlain(option));
}

function isPlain(node: PatternNode): boolean {
  if (node.kind === "look" || node.kind === "backreference") return false;
  if (node.kind === "group" && node.capture !== undefined) return false;
  return childrenOf(node).every(isPlain);
}

/**
 * A reference is the same in both where its group has certainly matched: the group stands before it
 * in the same sequence, without a repeat or a choice between (`set` holds such groups).
 */
function referencesAreSafe(node: PatternNode, set: ReadonlySet<number>): boolean {
  switch (node.kind) {
    case "backreference":
      return set.has(node.group);
    case "sequence": {
      const known = new Set(set);
      for (const item of node.items) {
        if (!referencesAreSafe(item, known)) return false;
        if (item.kind === "group" && item.capture !== undefined) known.add(item.capture);
      }
      return true;
    }
    default:
      return childrenOf(node).every((child) => referencesAreSafe(child, set));
  }
}

function sizeOf(node: PatternNode): number {
  const inner = childrenOf(node).reduce((sum, child) => sum + sizeOf(child), 1);
  return node.kind === "repeat"
    ? inner * (node.max === Infinity ? node.min + 1 : Math.max(1, node.max))
    : inner;
}
