/** Random patterns on random texts: both engines find the same, with and without the quick look. */
import assert from "node:assert/strict";
import { pcre2ForThread } from "../../../src/search/assets.ts";
import type { TextMatcher } from "../../../src/search/engine/hits.ts";
import { createPcre2Matcher } from "../../../src/search/engine/pcre2.ts";
import { pcre2TextMatcher } from "../../../src/search/engine/pcre2_search.ts";
import { createMatcher, planQuery } from "../../../src/search/engine/query.ts";
import { fuzzCases, fuzzSeed } from "../../support/fuzz.ts";
import { randomPattern, randomSource, randomText } from "./random_pattern.ts";

const engine = pcre2ForThread();

/** PCRE2 alone, without any quick look of ours in front. */
function plainPcre2(pattern: string, caseInsensitive: boolean): TextMatcher | undefined {
  const matcher = createPcre2Matcher(engine, pattern, caseInsensitive);
  return "message" in matcher ? undefined : pcre2TextMatcher(matcher);
}

Deno.test("both engines, and the quick look, agree on random patterns", () => {
  const patterns = fuzzCases(800), random = randomSource(fuzzSeed());
  let byV8 = 0, withRequired = 0;
  for (let round = 0; round < patterns; round++) {
    const pattern = randomPattern(random, 2), caseInsensitive = random(4) === 0;
    const plan = planQuery({ pattern, caseInsensitive });
    if (!plan.v8 && !plan.required) continue;
    const reference = plainPcre2(pattern, caseInsensitive);
    if (!reference) {
      assert.ok(!plan.v8, `PCRE2 refuses what is taken for certain: ${pattern}`);
      continue;
    }
    const text = randomText(random);
    const expected = reference.search(text, 100);
    if (expected.gaveUp) continue;
    const context = JSON.stringify({ pattern, caseInsensitive, text });
    if (plan.v8) {
      byV8++;
      const matcher = createMatcher(plan, engine);
      assert.ok(!("message" in matcher));
      assert.deepEqual(matcher.search(text, 100), expected, context);
    }
    if (plan.required) {
      withRequired++;
      const matcher = createPcre2Matcher(engine, pattern, caseInsensitive);
      assert.ok(!("message" in matcher));
      const found = pcre2TextMatcher(matcher, plan.required).search(text, 100);
      assert.deepEqual(found, expected, context);
    }
  }
  assert.ok(byV8 > patterns / 12, `only ${byV8} patterns went to V8`);
  assert.ok(withRequired > patterns / 12, `only ${withRequired} patterns had a required text`);
});
