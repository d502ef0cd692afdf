/** PCRE2 as a line matcher: compile with bounds, match a line, errors in PCRE2's own words. */
import { Pcre2Trap } from "../../lib/pcre2_wasm.ts";
import { findIncompatibility } from "./pattern/pcre2_compatibility.ts";
import type { CompileProblem, Pcre2Engine, Span } from "./pcre2_instance.ts";

/** Steps of backtracking that one match may take from one place of a line. */
const matchLimit = 2_000_000;
/** Memory that one match may take for backtracking, in KiB. */
const heapLimitKib = 4_000;

/** In front of every pattern; a line's end is the tool's business, so only LF counts as one. */
const bounds = `(*LIMIT_MATCH=${matchLimit})(*LIMIT_HEAP=${heapLimitKib})(*LF)`;

/**
 * This version's quick look for a place to start misses some where the pattern has a counted class
 * (`[Aa]{2}` in `aa`), a lookahead, a condition or a reference; it costs time to do without. Verbs are
 * defined in terms of it, so patterns with one keep it.
 */
const withoutQuickLook = "(*NO_START_OPT)";
const quickLookFails = /\]\{|\(\?=|\(\*p|\(\?\(|\\[1-9gk]|\(\?P=/;
const hasVerb = /\(\*(?:[:F]|MARK|ACCEPT|COMMIT|PRUNE|SKIP|THEN)/;

/** Longest pattern, in UTF-16 units. */
const maxPatternUnits = 64 * 1024;
/** Longest line that can be handed over, in UTF-16 units: a file of 1 MiB fits. */
const maxLineUnits = 1024 * 1024 + 2;

export type LineResult =
  | { readonly kind: "match"; readonly start: number; readonly end: number }
  | { readonly kind: "none" }
  /** Not known whether the line matches. */
  | { readonly kind: "gave up"; readonly reason: string };

export interface Pcre2Matcher {
  /** Copies a text in; lines of it are then matched by place without further copies. */
  load(text: string): void;
  /** Matches the loaded text's part from `start` to `end` as a line of its own. */
  matchLoaded(start: number, end: number): LineResult;
}

/** Compiles `pattern`, in the place of any other that the engine holds; those are compiled again when needed. */
export function createPcre2Matcher(
  engine: Pcre2Engine,
  pattern: string,
  caseInsensitive: boolean,
): Pcre2Matcher | CompileProblem {
  if (pattern.length > maxPatternUnits) {
    return { message: `pattern is longer than ${maxPatternUnits} characters`, offset: 0 };
  }
  const doubt = findIncompatibility(pattern, caseInsensitive);
  if (doubt?.kind === "refuse") return doubt;
  const prefix = quickLookFails.test(pattern) && !hasVerb.test(pattern)
    ? bounds + withoutQuickLook
    : bounds;
  const compile = () => engine.compile(prefix + pattern, caseInsensitive);
  const first = compile();
  if ("message" in first) {
    return { message: first.message, offset: Math.max(0, first.offset - prefix.length) };
  }
  let program = first, text = "", loaded = false;
  return {
    load(next) {
      text = next;
      loaded = false;
    },
    matchLoaded(start, end) {
      try {
        if (!engine.holds(program)) {
          const again = compile();
          if ("message" in again) return { kind: "gave up", reason: again.message };
          program = again;
          loaded = false;
        }
        if (!loaded) engine.fill(text.length > maxLineUnits ? text.slice(0, maxLineUnits) : text);
        loaded = true;
        return resultOf(engine.match(program, start, end));
      } catch (error) {
        if (!(error instanceof Pcre2Trap)) throw error;
        return { kind: "gave up", reason: "PCRE2 ran out of memory or stack" };
      }
    },
  };
}

const noMatch = -1;

function resultOf(found: number | Span): LineResult {
  if (typeof found !== "number") return { kind: "match", start: found.start, end: found.end };
  return found === noMatch ? { kind: "none" } : { kind: "gave up", reason: reasonOf(found) };
}

/** PCRE2's numbers for what stops a match before it is decided. */
function reasonOf(result: number): string {
  switch (result) {
    case -47:
      return "match limit reached";
    case -48:
      return "out of memory";
    case -52:
      return "recursion loop";
    case -53:
      return "nesting limit reached";
    case -63:
      return "heap limit reached";
    default:
      return `PCRE2 error ${result}`;
  }
}
