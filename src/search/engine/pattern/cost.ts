/**
 * How badly a backtracking engine can do on a pattern: the number of places at which it can try
 * one ending after the other. The work on a line is at most its length to that power, plus one.
 */
import { type CharSet, emptySet, intersect, unionOf } from "./char_set.ts";
import { canBeEmpty, childrenOf, firstChars, firstOfSequence } from "./facts.ts";
import type { PatternNode } from "./tree.ts";

/** The number of such places; Infinity where the work may grow without such a bound. */
export function ambiguityOf(tree: PatternNode): number {
  return count(tree, emptySet, false);
}

/**
 * True where no stretch of a line is gone over again from a later start: what is repeated without bound
 * holds no character that a match can start with. A repeat at the very end is free, as it never fails.
 */
export function scansOnce(tree: PatternNode): boolean {
  if (canBeEmpty(tree)) return false;
  const starts = firstChars(tree);
  const items = tree.kind === "sequence" ? tree.items : [tree];
  return items.every((item, index) =>
    index > 0 && index === items.length - 1 && item.kind === "repeat" && item.body.kind === "set" ||
    repeatsAvoid(item, starts)
  );
}

const longRepeat = 16;

function repeatsAvoid(node: PatternNode, starts: CharSet): boolean {
  if (node.kind === "repeat" && node.max > longRepeat && intersect(charsOf(node.body), starts)) {
    return false;
  }
  return childrenOf(node).every((child) => repeatsAvoid(child, starts));
}

function charsOf(node: PatternNode): CharSet {
  if (node.kind === "set") return node.set;
  return unionOf(...childrenOf(node).map(charsOf));
}

/**
 * `follow` holds what can come next. Inside a loop (`looped`) every way on must be distinguished by the
 * next character, else the ways multiply with each round.
 */
function count(node: PatternNode, follow: CharSet, looped: boolean): number {
  switch (node.kind) {
    case "set":
    case "assertion":
      return 0;
    case "sequence":
      return node.items.reduce((sum, item, index) => {
        const later = node.items.slice(index + 1);
        const next = later.every(canBeEmpty)
          ? unionOf(firstOfSequence(later), follow)
          : firstOfSequence(later);
        return sum + count(item, next, looped);
      }, 0);
    case "choice": {
      if (looped && !areDisjoint(node.options)) return Infinity;
      return node.options.reduce((sum, option) => sum + count(option, follow, looped), 0);
    }
    case "group":
      return count(node.body, follow, looped);
    case "repeat":
      return countRepeat(node, follow, looped);
    case "look":
      return looped ? Infinity : count(node.body, emptySet, false);
    case "backreference":
      return looped ? Infinity : 0;
  }
}

function countRepeat(
  node: Extract<PatternNode, { kind: "repeat" }>,
  follow: CharSet,
  looped: boolean,
): number {
  const first = firstChars(node.body);
  const varies = node.min !== node.max;
  const open = varies && (intersect(first, follow) || canBeEmpty(node.body));
  if (open && looped) return Infinity;
  const own = open ? 1 : 0;
  if (node.body.kind === "set") return own;
  const inLoop = looped || node.max > 1;
  return own + count(node.body, node.max > 1 ? unionOf(first, follow) : follow, inLoop);
}

function areDisjoint(options: readonly PatternNode[]): boolean {
  return options.every((option, index) =>
    !canBeEmpty(option) &&
    options.slice(index + 1).every((other) => !intersect(firstChars(option), firstChars(other)))
  );
}
