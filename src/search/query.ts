/** Owns what is searched for, and the matcher that it becomes. */
import type { TextMatcher } from "./hits.ts";
import { type CompileProblem, createPcre2Matcher } from "./pcre2.ts";
import { pcre2TextMatcher } from "./pcre2_search.ts";

export interface Query {
  readonly pattern: string;
  readonly caseInsensitive: boolean;
}

/** The matcher for `query`; `module` is PCRE2's, compiled once. */
export function createMatcher(
  query: Query,
  module: WebAssembly.Module,
): TextMatcher | CompileProblem {
  const matcher = createPcre2Matcher(module, query.pattern, query.caseInsensitive);
  return "message" in matcher ? matcher : pcre2TextMatcher(matcher);
}
