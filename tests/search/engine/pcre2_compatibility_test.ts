import assert from "node:assert/strict";
import { findIncompatibility } from "../../../src/search/engine/pattern/pcre2_compatibility.ts";
import { grepTool } from "../../../src/tools/grep.ts";
import { callTool, toolContext, withWorkspace } from "../../support/tool_context.ts";
import { writeTree } from "../tree.ts";

/** The kind of doubt and its place, as `warn 3`; none for a pattern without one. */
function doubtOf(pattern: string, caseInsensitive = false): string {
  const doubt = findIncompatibility(pattern, caseInsensitive);
  return doubt ? `${doubt.kind} ${doubt.offset}` : "none";
}

const cases: [pattern: string, doubt: string][] = [
  ["^(a\\1?){4}$", "warn 3"],
  ["(a)(b\\2)", "warn 5"],
  ["(?<n>a\\k<n>?)", "warn 6"],
  ["(?'n'a(?P=n)?)", "warn 6"],
  ["(a\\g{-1}?)", "warn 2"],
  ["(a\\g1)", "warn 2"],
  ["(?|(a)|(b\\1))", "warn 9"],
  ["(?|(a)|(b))\\1", "none"],
  ["(a)\\1", "none"],
  ["(a)(b)\\1", "none"],
  ["(?:a)(b)\\1", "none"],
  ["[(](a)\\1", "none"],
  ["\\((a)\\1", "none"],
  ["(?#()(a)\\1", "none"],
  ["\\Q(\\E(a)\\1", "none"],
  ["(?x)# (\n(a)\\1", "none"],
  ["(?(DEFINE)(?<f>a))(?<=b)c", "warn 18"],
  ["(?<=b)c(?(DEFINE)(?<f>a))", "none"],
  ["a{,3}", "refuse 1"],
  ["(a\\1)b{,3}", "refuse 6"],
  ["[]{,3}]", "none"],
  ["[[:alpha:]{,3}]", "none"],
  ["a{3}b{3,}c{3,4}", "none"],
  ["{,3}", "none"],
  ["(?=b(*COMMIT)c|)d", "warn 4"],
  ["(?<!(?:a(*SKIP)b))d", "warn 8"],
  ["(*nla:(*THEN:x)b)d", "warn 6"],
  ["(?(?=a(*PRUNE)b)c|d)", "warn 6"],
  ["(?=b)c(*COMMIT)d", "none"],
  ["(?=b(*F)|(*ACCEPT))c", "none"],
];

for (const [pattern, doubt] of cases) {
  Deno.test(`what is doubtful about ${JSON.stringify(pattern)}: ${doubt}`, () => {
    assert.equal(doubtOf(pattern), doubt);
  });
}

Deno.test("a very long pattern is looked through in time that grows with its length only", () => {
  const startedMs = performance.now();
  assert.equal(doubtOf(`(?x)${"(?:a [^b]) # a comment\n".repeat(2500)}`), "none");
  assert.ok(performance.now() - startedMs < 2000);
});

Deno.test("letters of one case are doubtful only where case does not count", () => {
  assert.equal(doubtOf("\\p{Lu}x"), "none");
  assert.equal(doubtOf("\\p{Lu}x", true), "warn 0");
  assert.equal(doubtOf("(?i)\\P{Ll}"), "warn 4");
});

Deno.test("a warning stands in the result, an error says that later versions know the syntax", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { "a.txt": "aaaa\n" });
    const context = toolContext(workspace);
    const warned = await callTool(grepTool, { pattern: "^(a\\1?){4}$" }, context);
    assert.equal(
      warned.text,
      "No matches\n[with this pattern, a reference to the group it stands in can miss matches]",
    );
    const refused = await callTool(grepTool, { pattern: "a{,4}" }, context);
    assert.equal(refused.isError, true);
    assert.match(refused.text, /^pattern: only newer versions of PCRE2 know/);
    for (const pattern of ["(?[a])", "\\p{Bidi_Class:L}", "(*scs:(1)a)(a)"]) {
      const unknown = await callTool(grepTool, { pattern }, context);
      assert.equal(unknown.isError, true, pattern);
      assert.match(unknown.text, /^pattern: .* \(at offset \d+, PCRE2 10\.34\)$/);
    }
  });
});

Deno.test("characters that this PCRE2 does not know yet are not decided by their properties", async () => {
  await withWorkspace(async (workspace) => {
    // U+4DB6 and U+1FAE0 came with later versions of Unicode, U+4DB5 and U+1F600 did not.
    await writeTree(workspace, {
      "new.txt": "a\n\u4db6\n",
      "old.txt": "a\n\u4db5\n\u{1f600}\n",
      "sign.txt": "\u{1fae0}\n",
    });
    const context = toolContext(workspace);
    const note = (place: string) =>
      `[characters newer than Unicode 12.1 in ${place}; matches there may be missing]`;
    const letters = await callTool(grepTool, { pattern: "^\\p{Lo}" }, context);
    assert.equal(
      letters.text,
      `old.txt:2:\u4db5\n${note("new.txt:2")}\n${note("sign.txt:1")}`,
    );
    const plain = await callTool(grepTool, { pattern: "^(?>\u4db6|\u{1fae0})" }, context);
    assert.equal(plain.text, "new.txt:2:\u4db6\nsign.txt:1:\u{1fae0}");
  });
});
