/** The texts of which every match of a pattern holds one: what a quick look can search for. */
import { type CharSet, sizeOf } from "./char_set.ts";
import { writeSet } from "./to_regexp.ts";
import type { PatternNode } from "./tree.ts";

/** Alternatives; each a run of characters, given as the few forms that each can have. */
type Required = readonly (readonly CharSet[])[];

const maxAlternatives = 20;
const maxRun = 24;
/** Forms of one character (cases); wider sets end a run. */
const maxForms = 4;

/** A regular expression that matches in every line the pattern matches in; undefined for none. */
export function requiredRegExp(tree: PatternNode): RegExp | undefined {
  const required = requiredOf(tree);
  if (!required || required.length === 0) return undefined;
  return new RegExp(required.map((run) => run.map(writeSet).join("")).join("|"), "gu");
}

function requiredOf(node: PatternNode): Required | undefined {
  switch (node.kind) {
    case "set":
      return sizeOf(node.set) <= maxForms ? [[node.set]] : undefined;
    case "sequence":
      return requiredOfSequence(node.items);
    case "choice": {
      const parts = node.options.map(requiredOf);
      if (parts.some((part) => part === undefined)) return undefined;
      const all = parts.flatMap((part) => part!);
      return all.length <= maxAlternatives ? all : undefined;
    }
    case "group":
      return requiredOf(node.body);
    case "repeat":
      return node.min > 0 ? requiredOf(node.body) : undefined;
    case "assertion":
    case "look":
    case "backreference":
      return undefined;
  }
}

function requiredOfSequence(items: readonly PatternNode[]): Required | undefined {
  let best: Required | undefined;
  let run: CharSet[] = [];
  const offer = (found: Required | undefined) => {
    if (found && found.length > 0 && scoreOf(found) > (best ? scoreOf(best) : 0)) best = found;
  };
  const endRun = () => {
    if (run.length > 0) offer([run]);
    run = [];
  };
  for (const item of items) {
    if (item.kind === "set" && sizeOf(item.set) <= maxForms && run.length < maxRun) {
      run.push(item.set);
    } else if (item.kind !== "assertion" && item.kind !== "look") {
      endRun();
      offer(requiredOf(item));
    }
  }
  endRun();
  return best;
}

/** The shortest run decides how much a find is worth; fewer alternatives are quicker to look for. */
function scoreOf(required: Required): number {
  return Math.min(...required.map((run) => run.length)) - required.length / 100;
}
