/** Simple facts about a pattern's tree: what it can start with, how long it is. */
import { anyChar, type CharSet, emptySet, unionOf } from "./char_set.ts";
import type { PatternNode } from "./tree.ts";

/** True where the node can match without taking a character. */
export function canBeEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "sequence":
      return node.items.every(canBeEmpty);
    case "choice":
      return node.options.some(canBeEmpty);
    case "group":
      return canBeEmpty(node.body);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.body);
    case "assertion":
    case "look":
    case "backreference":
      return true;
  }
}

/** Every character that a non-empty match of the node can start with; may hold more. */
export function firstChars(node: PatternNode): CharSet {
  switch (node.kind) {
    case "set":
      return node.set;
    case "sequence":
      return firstOfSequence(node.items);
    case "choice":
      return unionOf(...node.options.map(firstChars));
    case "group":
    case "repeat":
      return firstChars(node.body);
    case "assertion":
    case "look":
      return emptySet;
    case "backreference":
      return anyChar;
  }
}

export function firstOfSequence(items: readonly PatternNode[]): CharSet {
  const sets: CharSet[] = [];
  for (const item of items) {
    sets.push(firstChars(item));
    if (!canBeEmpty(item)) break;
  }
  return unionOf(...sets);
}

/** Characters that every match of the node has; undefined where they differ. */
export function fixedLength(node: PatternNode): number | undefined {
  switch (node.kind) {
    case "set":
      return 1;
    case "sequence":
      return node.items.map(fixedLength).reduce(
        (sum, length) => sum === undefined || length === undefined ? undefined : sum + length,
        0,
      );
    case "choice": {
      const lengths = new Set(node.options.map(fixedLength));
      return lengths.size === 1 ? [...lengths][0] : undefined;
    }
    case "group":
      return fixedLength(node.body);
    case "repeat": {
      const length = fixedLength(node.body);
      return node.min === node.max && length !== undefined ? node.min * length : undefined;
    }
    case "assertion":
    case "look":
      return 0;
    case "backreference":
      return undefined;
  }
}

/** The nodes directly below. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case "sequence":
      return node.items;
    case "choice":
      return node.options;
    case "group":
    case "repeat":
    case "look":
      return [node.body];
    case "set":
    case "assertion":
    case "backreference":
      return [];
  }
}
