/** The look at bytes: it may say "perhaps" too often, and never "no" where something is there. */
import assert from "node:assert/strict";
import { pcre2ForThread } from "../../../src/search/assets.ts";
import { createPcre2Matcher } from "../../../src/search/engine/pcre2.ts";
import { pcre2TextMatcher } from "../../../src/search/engine/pcre2_search.ts";
import { planQuery } from "../../../src/search/engine/query.ts";
import { createByteMemory } from "../../../src/search/scan/byte_look.ts";
import { fuzzCases, fuzzSeed } from "../../support/fuzz.ts";
import { testWhere } from "../../support/test_where.ts";
import { randomPattern, randomSource, randomText } from "../engine/random_pattern.ts";

const size = 300;
const memory = createByteMemory(size);

function lookFor(pattern: string, caseInsensitive = false) {
  const { bytes } = planQuery({ pattern, caseInsensitive });
  assert.ok(bytes, pattern);
  return memory.lookFor(bytes);
}

function load(text: string): number {
  return new TextEncoder().encodeInto(text, memory.bytes).written;
}

for (
  const [pattern, text] of [
    ["needle", "needle"],
    ["(?i)needle", "nEEdLe"],
    ["needle|thread", "thread"],
    ["[0-9]{13}[A-F]{7}", "0123456789012ABCDEFA"],
    ["(?>[0-9]{13})[A-F]{7}", "9876543210987FFFFFFF"],
    ["x\\w{3,5}[.]y", "xabc.y"],
    ["\u0416\u{1F600}", "\u0416\u{1F600}"],
    [`${"a".repeat(60)}Q${"b".repeat(60)}`, `${"a".repeat(60)}Q${"b".repeat(60)}`],
  ] as const
) {
  Deno.test(`a run is found at every place, to the last, and not beyond it: ${pattern.slice(0, 30)}`, () => {
    const look = lookFor(pattern);
    const bytes = new TextEncoder().encode(text).length;
    const cut = pattern.includes("\\w") ? 0 : Math.min(bytes - 1, 40);
    for (let at = 0; at <= size - bytes; at++) {
      memory.bytes.fill(0x20);
      load(" ".repeat(at) + text);
      assert.equal(look.mayMatch(at + bytes), true, `at ${at}`);
      assert.equal(look.mayMatch(size), true, `at ${at} of the whole`);
      // What an earlier, longer file has left behind is not part of this one.
      assert.equal(look.mayMatch(at + cut), false, `cut at ${at}`);
    }
    memory.bytes.fill(0x20);
    assert.equal(look.mayMatch(size), false);
  });
}

Deno.test("a NUL is found at every place, and not beyond the end", () => {
  const look = memory.lookFor(undefined);
  for (let at = 0; at < size; at++) {
    memory.bytes.fill(0x20);
    memory.bytes[at] = 0;
    assert.equal(look.hasNul(size), true, `at ${at}`);
  }
  for (let length = 0; length <= size; length++) {
    memory.bytes.fill(0x20, 0, length);
    memory.bytes.fill(0, length);
    assert.equal(look.hasNul(length), false, `${length} bytes`);
  }
});

Deno.test("letters with a case of another length, and what stands for broken bytes, end a run", () => {
  assert.equal(planQuery({ pattern: "ks", caseInsensitive: true }).bytes, undefined);
  assert.equal(planQuery({ pattern: "\\x{FFFD}", caseInsensitive: false }).bytes, undefined);
  const look = lookFor("breakable", true);
  assert.equal(look.mayMatch(load("BREA\u212aABLE")), true);
});

Deno.test("many blocks that only look like a find end the look, and not the search", () => {
  const large = createByteMemory(64 * 1024);
  const look = large.lookFor(planQuery({ pattern: "ab1cd", caseInsensitive: false }).bytes);
  large.bytes.set(new TextEncoder().encode("ab1c-".repeat(12_000)));
  assert.equal(look.mayMatch(60_000), true);
  assert.equal(look.mayMatch(100), false);
});

Deno.test("random patterns: no text with a match is taken for one without", () => {
  const engine = pcre2ForThread(), random = randomSource(fuzzSeed());
  const patterns = fuzzCases(800);
  let looked = 0, matched = 0, ruledOut = 0;
  for (let round = 0; round < patterns; round++) {
    const pattern = randomPattern(random, 2), caseInsensitive = random(4) === 0;
    const { bytes } = planQuery({ pattern, caseInsensitive });
    if (!bytes) continue;
    const matcher = createPcre2Matcher(engine, pattern, caseInsensitive);
    if ("message" in matcher) continue;
    const look = memory.lookFor(bytes);
    for (let nth = 0; nth < 4; nth++) {
      const text = randomText(random), may = look.mayMatch(load(text));
      looked++;
      if (!may) ruledOut++;
      if (pcre2TextMatcher(matcher).search(text, 1).count === 0) continue;
      matched++;
      assert.ok(may, JSON.stringify({ pattern, caseInsensitive, text }));
    }
  }
  assert.ok(looked > patterns / 4 && matched > 0 && ruledOut > looked / 10, `${looked} looks`);
});

testWhere(
  { met: Deno.build.arch === "x86_64", reason: "turns off instructions of x86-64" },
  "on a processor without such instructions every text may match, and a NUL is still found",
  async () => {
    const url = new URL("../../../src/search/scan/byte_look.ts", import.meta.url).href;
    const script = `
      const { createByteMemory } = await import(${JSON.stringify(url)});
      const memory = createByteMemory(100);
      const look = memory.lookFor([[[[97, 97]], [[98, 98]]]]);
      memory.bytes.fill(32);
      const without = look.hasNul(50);
      memory.bytes[49] = 0;
      console.log(look.mayMatch(50), without, look.hasNul(50), look.hasNul(49));`;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--v8-flags=--no-enable-sse4-1", "--no-check", script],
    }).output();
    const said = new TextDecoder().decode(stdout).trim();
    assert.equal(said, "true false true false", new TextDecoder().decode(stderr));
  },
);
