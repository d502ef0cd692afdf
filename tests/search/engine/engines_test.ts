import assert from "node:assert/strict";
import { Pcre2Trap } from "../../../src/lib/pcre2_wasm.ts";
import { pcre2ForThread } from "../../../src/search/assets.ts";
import { createPcre2Matcher } from "../../../src/search/engine/pcre2.ts";
import { pcre2TextMatcher } from "../../../src/search/engine/pcre2_search.ts";
import { createMatcher, planQuery } from "../../../src/search/engine/query.ts";

const engine = pcre2ForThread();

/** Which engine a pattern goes to. */
function engineOf(pattern: string, caseInsensitive = false): "v8" | "pcre2" {
  return planQuery({ pattern, caseInsensitive }).v8 ? "v8" : "pcre2";
}

for (
  const pattern of [
    "TODO|FIXME",
    "function\\s+\\w+",
    "(?i)error",
    "(\\w+)\\s+\\1",
    "(?<=return )value",
    "^\\s*import .* from",
    "foo\\(.*\\)",
    "[A-Z][a-z]+Error\\b",
    "(?<year>\\d{4})-\\d\\d",
    "a{x}",
    "\\$\\{[^}]+\\}",
    "(?:\\.\\w+)+\\(",
  ]
) {
  Deno.test(`V8's engine takes the pattern ${pattern}`, () => {
    assert.equal(engineOf(pattern), "v8");
  });
}

for (
  const [pattern, why] of [
    ["(a+)+$", "a loop in a loop that shares characters"],
    ["(?:a|ab)+c", "a loop over choices that start alike"],
    ["(a|b)?\\1", "a reference to a group that may not have matched"],
    ["(?:(a)|b)\\1", "a reference to a group of one choice"],
    ["(a*)*b", "a loop over what may be empty"],
    ["a++b", "a possessive repeat"],
    ["(?>a)b", "an atomic group"],
    ["(?<=(a))b", "a capture in a lookbehind"],
    ["\\bfoo\\K", "\\K"],
    ["\\p{L}", "properties, whose tables differ"],
    ["a\\Rb", "\\R"],
    ["\\v", "\\v, a class in PCRE"],
    ["[]a]", "a bracket first in a class"],
    ["[^]a]", "a bracket first in a negated class"],
    ["a{,3}", "a brace that versions read differently"],
    ["a{ 1 }", "spaces in a brace"],
    ["\\012", "an octal escape"],
    ["\\10", "two digits behind a backslash"],
    ["x(?i)y", "an option in the middle"],
    ["(?#c)a", "a comment"],
    [".*a.*b.*c.*d", "too many repeats that share characters"],
    ["\\Qa.b\\E", "quoting"],
  ] as const
) {
  Deno.test(`PCRE2 takes ${why}: ${pattern}`, () => {
    assert.equal(engineOf(pattern), "pcre2");
  });
}

Deno.test("without regard to case, letters beyond ASCII and references go to PCRE2", () => {
  assert.equal(engineOf("k", true), "v8");
  assert.equal(engineOf("\u0436", true), "pcre2");
  assert.equal(engineOf("(a)\\1", true), "pcre2");
  assert.equal(engineOf("[[:upper:]]", true), "pcre2");
});

/** The numbers of the matching lines, by whatever engine the plan chooses. */
function matchingLines(pattern: string, text: string, caseInsensitive = false): number[] {
  const matcher = createMatcher(planQuery({ pattern, caseInsensitive }), engine);
  assert.ok(!("message" in matcher), JSON.stringify(matcher));
  return matcher.search(text, 100).lines.map(({ line }) => line);
}

Deno.test("a K and an S have a third case in Unicode", () => {
  assert.deepEqual(matchingLines("^k$", "k\nK\n\u212a\ns\n", true), [1, 2, 3]);
  assert.deepEqual(matchingLines("^[^s]$", "s\nS\n\u017f\nx\n", true), [4]);
});

Deno.test("without (*UCP) the classes know ASCII only", () => {
  assert.deepEqual(matchingLines("\\w", "\u00e9\n_\n"), [2]);
  assert.deepEqual(matchingLines("\\s", "\u00a0\n\u2028\n\u0085\n\x0b\n"), [4]);
  assert.deepEqual(matchingLines("(*UCP)\\w", "\u00e9\n-\n"), [1]);
});

Deno.test("a dot takes one whole character, and only LF ends a line", () => {
  assert.deepEqual(matchingLines("^a.b$", "a\u{1F600}b\na\u2028b\na\rb\nab\n"), [1, 2, 3]);
  assert.deepEqual(matchingLines("x$", "x\u2028\nx\rx\nx\ry\n"), [2]);
});

Deno.test("a counted class in both cases is found, which PCRE2's own quick look misses", () => {
  assert.deepEqual(matchingLines("(?>[Aa]{2})", "aabc\nxaA\na\n"), [1, 2]);
});

Deno.test("long lines are searched too, by PCRE2", () => {
  const long = `${"x".repeat(100_000)} foo foo`;
  assert.deepEqual(matchingLines("(\\w+) \\1", `a b\n${long}\nc c\n`), [2, 3]);
});

Deno.test("a quantifier of later versions is refused in words", () => {
  for (const pattern of ["x{,2}", "x{ 1,2 }", "x{1, 2}", "x{ 3}"]) {
    const matcher = createMatcher(planQuery({ pattern, caseInsensitive: false }), engine);
    assert.ok("message" in matcher, pattern);
    assert.match(matcher.message, /newer versions of PCRE2/);
    assert.equal(matcher.offset, 1);
  }
  for (const pattern of ["x\\{,2}", "[x{,2}]", "\\Qx{,2}\\E", "x{,}", "x{a,2}"]) {
    const matcher = createMatcher(planQuery({ pattern, caseInsensitive: false }), engine);
    assert.ok(!("message" in matcher), pattern);
  }
});

Deno.test("patterns that take turns in one instance do not get into each other's way", () => {
  const shared = pcre2ForThread();
  const patterns = ["\\Xo", "(a+)+$", "x(?>y)", "(", "\\p{Lu}{2}", "q{,2}"];
  const text = "foo\naaaa\nxy\nAB\n";
  const alone = patterns.map((pattern) => {
    const matcher = createPcre2Matcher(pcre2ForThread(), pattern, false);
    return "message" in matcher ? matcher : pcre2TextMatcher(matcher).search(text, 10);
  });
  const made = patterns.map((pattern) => createPcre2Matcher(shared, pattern, false));
  for (let round = 0; round < 300; round++) {
    made.forEach((matcher, index) => {
      const found = "message" in matcher ? matcher : pcre2TextMatcher(matcher).search(text, 10);
      assert.deepEqual(found, alone[index]);
    });
  }
});

Deno.test("a text that comes back after another pattern's is matched as itself", () => {
  const shared = pcre2ForThread();
  const first = createPcre2Matcher(shared, "(?>b)", false);
  const second = createPcre2Matcher(shared, "(?>c)", false);
  assert.ok(!("message" in first) && !("message" in second));
  first.load("ab\n");
  assert.deepEqual(first.matchLoaded(0, 2), { kind: "match", start: 1, end: 2 });
  second.load("abc\n");
  assert.deepEqual(second.matchLoaded(0, 3), { kind: "match", start: 2, end: 3 });
  assert.deepEqual(first.matchLoaded(0, 2), { kind: "match", start: 1, end: 2 });
});

Deno.test("after a trap a fresh instance takes the memory over, and the pattern is compiled again", () => {
  const shared = pcre2ForThread();
  const matcher = createPcre2Matcher(shared, "(?>b)", false);
  assert.ok(!("message" in matcher));
  for (let round = 0; round < 5; round++) {
    matcher.load("ab");
    assert.deepEqual(matcher.matchLoaded(0, 2), { kind: "match", start: 1, end: 2 });
    assert.throws(() => shared.fill("x".repeat(8_000_000)), Pcre2Trap);
    assert.deepEqual(matcher.matchLoaded(0, 2), { kind: "match", start: 1, end: 2 });
  }
});

Deno.test("what many patterns leave behind does not fill the instance", () => {
  const shared = pcre2ForThread();
  for (let round = 0; round < 3000; round++) {
    const pattern = round % 3 === 0 ? `(${round}` : `(?>${"[a-z]x|".repeat(40)}${round})`;
    const matcher = createPcre2Matcher(shared, pattern, round % 2 === 0);
    assert.equal("message" in matcher, round % 3 === 0);
    if ("message" in matcher) assert.match(matcher.message, /missing closing parenthesis/);
    else {
      matcher.load(`${round}`);
      assert.equal(matcher.matchLoaded(0, `${round}`.length).kind, "match");
    }
  }
});
