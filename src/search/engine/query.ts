/** A query: what is searched for, and the choice of the engine. */
import { mayMatchBy, type TextMatcher } from "./hits.ts";
import { ambiguityOf, scansOnce } from "./pattern/cost.ts";
import { asksForProperties, newerCharacter } from "./pattern/newer_characters.ts";
import { readPattern } from "./pattern/read_pattern.ts";
import { type ByteRuns, requiredBytes } from "./pattern/required_bytes.ts";
import { requiredRegExp } from "./pattern/required.ts";
import { hasSameMeaning } from "./pattern/same_meaning.ts";
import type { PatternNode } from "./pattern/tree.ts";
import { createPcre2Matcher } from "./pcre2.ts";
import type { CompileProblem, Pcre2Engine } from "./pcre2_instance.ts";
import { pcre2TextMatcher } from "./pcre2_search.ts";
import { v8TextMatcher } from "./v8_search.ts";

export interface Query {
  readonly pattern: string;
  readonly caseInsensitive: boolean;
}

export interface Plan {
  readonly query: Query;
  /** Set where V8's engine gives the same answers, on lines up to this length. */
  readonly v8: { readonly tree: PatternNode; readonly maxLineUnits: number } | undefined;
  /** Matches in every line that the pattern matches in. */
  readonly required: RegExp | undefined;
  /** One of them is in the bytes of every text that the pattern matches in. */
  readonly bytes: ByteRuns | undefined;
  /** The work on a line is in proportion to its length, so that no other thread is needed. */
  readonly light: boolean;
}

/**
 * Longest line for V8 by the pattern's ambiguity, so that the worst line takes well under a second; a
 * light pattern takes any.
 */
const maxLineUnits = [64 * 1024, 4096, 512];

export function planQuery(query: Query): Plan {
  const tree = readPattern(query.pattern, query.caseInsensitive);
  if (!tree) return { query, v8: undefined, required: undefined, bytes: undefined, light: false };
  const ambiguity = ambiguityOf(tree);
  const same = hasSameMeaning(tree);
  const light = same && ambiguity === 0 && scansOnce(tree);
  const maxUnits = light ? Infinity : maxLineUnits[ambiguity];
  return {
    query,
    v8: same && maxUnits !== undefined ? { tree, maxLineUnits: maxUnits } : undefined,
    required: requiredRegExp(tree),
    bytes: requiredBytes(tree),
    light,
  };
}

/** The engine is only used where the plan has no V8, or for texts with long lines. */
export function createMatcher(
  plan: Plan,
  engine: Pcre2Engine,
): TextMatcher | CompileProblem {
  const pcre2 = () => {
    const { pattern, caseInsensitive } = plan.query;
    const matcher = createPcre2Matcher(engine, pattern, caseInsensitive);
    if ("message" in matcher) return matcher;
    const unknown = asksForProperties(pattern) ? newerCharacter() : undefined;
    return pcre2TextMatcher(matcher, plan.required, unknown);
  };
  if (!plan.v8) return pcre2();
  let fallback: TextMatcher | undefined;
  return v8TextMatcher(plan.v8.tree, plan.v8.maxLineUnits, plan.required, () => {
    if (!fallback) {
      const made = pcre2();
      if ("message" in made) throw new Error(`engines disagree about a pattern: ${made.message}`);
      fallback = made;
    }
    return fallback;
  });
}

/**
 * For a pattern that is known to compile: nothing is made before a text needs it, as PCRE2 takes 30 ms
 * to load and few searches have a text for every thread.
 */
export function createLateMatcher(plan: Plan, engine: Pcre2Engine): TextMatcher {
  let made: TextMatcher | undefined;
  const matcher = () => {
    if (made) return made;
    const found = createMatcher(plan, engine);
    if ("message" in found) throw new Error(found.message);
    return made = found;
  };
  return {
    mayMatch: mayMatchBy(plan.required),
    search: (text, maxLines) => matcher().search(text, maxLines),
  };
}
