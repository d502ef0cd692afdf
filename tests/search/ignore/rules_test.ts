/** The meaning of an ignore file's lines, and the quick look at names in front of it. */
import assert from "node:assert/strict";
import { parseGlobSegments } from "../../../src/search/glob/glob.ts";
import { parseSegment } from "../../../src/search/glob/segment.ts";
import { parseIgnoreRules } from "../../../src/search/ignore/rules.ts";
import { fuzzCases, fuzzSeed } from "../../support/fuzz.ts";
import { randomSource } from "../engine/random_pattern.ts";

const top = "/w/";
const parts = [
  "a",
  "b",
  ".a",
  "a.b",
  "x.a.b",
  ".",
  "b.x",
  "*",
  "a*",
  "*x",
  "*xx",
  "x*b",
  "xx",
  "*.b",
  "*.a.b",
  "?.b",
  "[ab]",
  "**",
];
const names = ["a", "b", ".a", ".b", "a.b", "x.a.b", "b.x", "x", "a.", "xx", "xab", "bxx", ".."];

Deno.test("random rules decide as each of their lines does alone, the last one first", () => {
  const random = randomSource(fuzzSeed());
  const pick = <T>(from: readonly T[]) => from[random(from.length)]!;
  const some = <T>(most: number, make: () => T) => Array.from({ length: 1 + random(most) }, make);
  let spoken = 0, silent = 0;
  for (let round = 0; round < fuzzCases(400); round++) {
    const globs = some(6, () => some(3, () => pick(parts)).join("/"));
    const lines = globs.map((glob) => ({ glob, back: random(4) === 0 }));
    const rules = parseIgnoreRules(
      lines.map(({ glob, back }) => (back ? "!" : "") + glob).join("\n"),
    );
    for (let nth = 0; nth < 20; nth++) {
      const path = some(3, () => pick(names)).join("/"),
        name = path.slice(path.lastIndexOf("/") + 1);
      const line = lines.findLast(({ glob }) =>
        glob.includes("/") ? parseGlobSegments(glob).test(path) : parseSegment(glob).test(name)
      );
      const expected = line && !line.back;
      if (expected === undefined) silent++;
      else spoken++;
      const found = rules?.verdict(top + path.slice(0, -name.length), top.length, name, false);
      assert.equal(found, expected, JSON.stringify({ globs, path }));
    }
  }
  assert.ok(spoken > silent / 10 && silent > spoken / 10, `${spoken} and ${silent}`);
});
