import assert from "node:assert/strict";
import { quotedPath, shownPath, shownWhole } from "../../src/lib/shown_path.ts";

Deno.test("a path that stands for itself is shown as it is", () => {
  for (
    const path of ["a", "src/a b/c.ts", "päth/日本語.md", "a:b", "~/x", "-", "👩‍👧.png", "a\u3000b"]
  ) {
    assert.equal(shownWhole(path), path);
    assert.equal(shownPath(path), path);
  }
});

Deno.test("a path that could be taken for something else is a JSON string", () => {
  const odd = [
    "a\nb",
    "a\x1b[1m",
    "a\x85",
    'a"b',
    " a",
    "a ",
    "a:12",
    "a:12:x",
    "a\u202eb",
    "a\u2028",
  ];
  for (const path of odd) {
    const shown = shownWhole(path);
    assert.equal(JSON.parse(shown), path);
    assert.match(shown, /^"[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*"$/u);
  }
  assert.equal(shownPath("a\nb\x1b[1m\x85"), '"a\\nb\\u001b[1m\\u0085"');
  assert.equal(quotedPath("a"), '"a"');
});

Deno.test("a path in a sentence is bounded and well-formed, one in a list is whole", () => {
  assert.ok(shownPath("x".repeat(100_000)).length < 600);
  assert.ok(shownPath(`${"é".repeat(249)}😀${"é".repeat(500)}`).isWellFormed());
  assert.ok(shownPath("\ud800".repeat(1000)).isWellFormed());
  assert.equal(shownWhole("x".repeat(4000)).length, 4000);
});
