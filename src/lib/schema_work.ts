/** Estimates how much work a check against a foreign JSON Schema is, before it is done. */
import { valueAt } from "./json_pointer.ts";

/** In looks of one schema at one value, each a few microseconds; `Infinity` where no bound is known. */
export interface SchemaWork {
  /** The work of reading the schema, which no value adds to. */
  readonly toRead: number;
  toCheck(value: unknown): number;
}

/** `schema` must be well formed. */
export function schemaWork(schema: Record<string, unknown>): SchemaWork {
  const survey: Survey = { root: schema, known: new Map(), toRead: 0, hasUniqueItems: false };
  const { looks, tests } = costOf(schema, survey, 0, 0);
  return {
    toRead: survey.toRead,
    toCheck(value) {
      const weight = weightOf(value);
      // each test is made in steps, of which many fit into one look
      const steps = tests.reduce((sum, count, at) => sum + count * weight.longest ** (at + 1), 0);
      const compared = survey.hasUniqueItems ? weight.looks ** 2 : 0;
      return (looks + steps / stepsPerLook) * weight.looks + compared;
    },
  };
}

const stepsPerLook = 200;
const charactersPerLook = 64;
const valueCharactersPerLook = 1024;
/** Deeper schemas are not looked into. */
const maxDepth = 500;

interface Survey {
  readonly root: Record<string, unknown>;
  /** "open" while it is worked out: a reference that leads back there has no bound. */
  readonly known: Map<object, Cost | "open">;
  toRead: number;
  hasUniqueItems: boolean;
}

/** What one value costs, with all that references add. */
interface Cost {
  readonly looks: number;
  /** How many tests of text take time that grows with its length, its square, its cube. */
  readonly tests: readonly number[];
}

const noTests = [0, 0, 0];
const unbounded: Cost = { looks: Infinity, tests: noTests };

function costOf(part: unknown, survey: Survey, depth: number, pathLength: number): Cost {
  if (typeof part !== "object" || part === null) {
    return { looks: 1 + String(part).length / charactersPerLook, tests: noTests };
  }
  const known = survey.known.get(part);
  if (known !== undefined) return known === "open" ? unbounded : known;
  if (depth > maxDepth) return unbounded;
  survey.known.set(part, "open");
  survey.toRead += 1 + pathLength / charactersPerLook;
  let looks = 1;
  const tests = [...noTests];
  const add = (cost: Cost) => {
    looks += cost.looks;
    cost.tests.forEach((count, at) => tests[at]! += count);
  };
  for (const [key, value] of Object.entries(part)) {
    add(costOf(value, survey, depth + 1, pathLength + 1 + key.length));
    looks += key.length / charactersPerLook;
    if (typeof value === "string") add(keywordCost(key, value, survey, depth));
    else if (key === "patternProperties" && typeof value === "object" && value !== null) {
      for (const pattern of Object.keys(value)) add(patternCost(pattern));
    } else if (key === "uniqueItems") survey.hasUniqueItems = true;
  }
  const cost = { looks, tests };
  survey.known.set(part, cost);
  return cost;
}

function keywordCost(keyword: string, value: string, survey: Survey, depth: number): Cost {
  switch (keyword) {
    case "$ref":
      return value.startsWith("#") && value.length < 1000
        ? costOf(valueAt(survey.root, value), survey, depth + 1, 0)
        : unbounded;
    case "$dynamicRef":
    case "$recursiveRef":
      return unbounded;
    case "$id":
    case "id":
      // what is below another address is read once more for each such address above it
      if (depth > 0) survey.toRead = Infinity;
      return nothing;
    case "pattern":
      return patternCost(value);
    case "format":
      return testCost(formatPowers[value] ?? Infinity);
    default:
      return nothing;
  }
}

const nothing: Cost = { looks: 0, tests: noTests };

/** The power of the text's length that the time for one test grows with at most. */
const formatPowers: Partial<Record<string, number>> = {
  date: 1,
  "date-time": 1,
  duration: 1,
  email: 3,
  hostname: 2,
  ipv4: 1,
  ipv6: 1,
  time: 1,
  uri: 3,
  uuid: 1,
};

function testCost(power: number): Cost {
  return power > noTests.length
    ? unbounded
    : { looks: 1, tests: noTests.map((_, at) => at + 1 === Math.max(1, power) ? 1 : 0) };
}

function patternCost(pattern: string): Cost {
  return testCost(patternPower(pattern));
}

const maxPatternLength = 1000;

/**
 * The power of the text's length that the time for one test grows with at most: each repeated
 * character can be tried at every length. `Infinity` where whole groups are repeated.
 */
function patternPower(pattern: string): number {
  if (pattern.length > maxPatternLength) return Infinity;
  const bare = pattern
    .replace(/\\[1-9k]/g, "(*")
    .replace(/\\(?:[pPu]\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]/g, "x")
    .replace(/\(\?(?:[:=!]|<[=!]|<[^>]*>)/g, "(")
    .replace(
      /\{(\d{1,3})\}/g,
      (counted, _, at: number, all: string) => all[at - 1] === ")" ? counted : "",
    );
  if (/\)[*+{]|\(\*/.test(bare)) return Infinity;
  const repeats = bare.match(/[*+?{]/g)?.length ?? 0;
  const isAnchored = bare.startsWith("^") && !bare.includes("|");
  return isAnchored ? repeats : repeats + 1;
}

interface Weight {
  readonly looks: number;
  /** Of the longest text or key. */
  readonly longest: number;
}

function weightOf(value: unknown): Weight {
  let looks = 0, longest = 0;
  const text = (one: string) => {
    looks += one.length / valueCharactersPerLook;
    longest = Math.max(longest, one.length);
  };
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    looks++;
    if (typeof one === "string") text(one);
    else if (Array.isArray(one)) { for (const item of one) open.push(item); }
    else if (typeof one === "object" && one !== null) {
      for (const [key, item] of Object.entries(one)) {
        text(key);
        open.push(item);
      }
    }
  }
  return { looks, longest };
}
