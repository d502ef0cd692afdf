import assert from "node:assert/strict";
import { visible, visibleExact, visibleStream } from "../../src/lib/visible.ts";

Deno.test("plain text, tabs, line feeds and foreign scripts are shown as they are", () => {
  for (
    const text of ["a\tb\nc\n", "漢字 é ñ", "👨‍👩‍👧 ❤️ 👍🏽", "می‌خواهم", "क्‍ष", ""]
  ) assert.equal(visible(text), text);
});

Deno.test("no control character but tab and line feed is left", () => {
  const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)).join("");
  // deno-lint-ignore no-control-regex -- they are what is looked for
  assert.doesNotMatch(visible(all), /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
});

Deno.test("title, screen clearing and colours do nothing, and nothing is hidden by them", () => {
  const shown = visible("\x1b]0;EVIL\x07\x1b[2J\x1b[31mred\x1b[0m\r\n10%\r100%\r\n");
  assert.equal(shown, "\u241b]0;EVIL\u2407red\n10%\n100%\n");
});

Deno.test("C1 sequences, zero-width and bidirectional characters are written as escapes", () => {
  assert.equal(
    visible("\x9b2Ja\u202eb\u200bc\u2066\ufeff"),
    "\\x9b2Ja\\u202eb\\u200bc\\u2066\\ufeff",
  );
});

Deno.test("an unterminated sequence hides none of what follows", () => {
  assert.equal(visible("\x1b]8;;http://x text"), "\u241b]8;;http://x text");
  assert.equal(visible("\x1b[" + "1;".repeat(100) + "text").slice(-4), "text");
});

Deno.test("text in pieces is shown as the whole is, wherever it is cut", () => {
  const text = "a\x1b[31mb\r\nc\rd\x1b[0m\n\x1b]0;x\x07e\n";
  for (let cut = 0; cut <= text.length; cut++) {
    const show = visibleStream();
    assert.equal(show(text.slice(0, cut)) + show(text.slice(cut)), visible(text));
  }
});

Deno.test("the exact form shows every hidden character and breaks lines at line feeds only", () => {
  assert.equal(
    visibleExact("rm\t-r\u00a0x\r\necho \u202eok\x1b[2K\u200b\x85"),
    "rm\\t-r\\xa0x\\r\necho \\u202eok\\x1b[2K\\u200b\\x85",
  );
});

Deno.test("a lone surrogate is replaced", () => {
  assert.equal(visible("a\ud83db"), "a\ufffdb");
});

Deno.test("a run of carriage returns in pieces is one line break", () => {
  const show = visibleStream();
  const pieces = ["a\r", "\r\r", "\r", "\nb", "\r", "c"].map(show);
  assert.equal(pieces.join(""), "a\nb\nc");
});
