import assert from "node:assert/strict";
import { quoteStart, visibleText } from "../../src/lib/visible_text.ts";

Deno.test("what the eye would miss is shown", () => {
  const cases: [string, string][] = [
    ["ls\r\x1b[2Krm -rf x", "ls\\r\\x1b[2Krm -rf x"],
    ["a\u202eb\u2066c", "a\\u202eb\\u2066c"],
    ["a\u200bb\ufeffc\u00adx", "a\\u200bb\\ufeffc\\xadx"],
    ["a\u00a0b\u3000c", "a\\xa0b\\u3000c"],
    ["a\u2028b\u0085c\x7f", "a\\u2028b\\x85c\\x7f"],
    ["\u{e0061}\ue000\u3164\u2800", "\\u{e0061}\\ue000\\u3164\\u2800"],
    ["\ud800", "\\ud800"],
    ["a\tb\nc", "a\\tb\\nc"],
  ];
  for (const [text, shown] of cases) assert.equal(visibleText(text), shown);
});

Deno.test("what can be seen stays", () => {
  for (const text of ["plain text", "grün 漢字 😀 é", "a\\nb"]) {
    assert.equal(visibleText(text), text);
  }
});

Deno.test("line breaks stay where they are wanted", () => {
  assert.equal(visibleText("a\nb\r\n", { keepLineBreaks: true }), "a\nb\\r\n");
});

Deno.test("a quoted start is cut, escaped and whole", () => {
  assert.equal(quoteStart('say "x"\n', 80), '"say \\"x\\"\\n"');
  assert.equal(quoteStart("a".repeat(10), 3), '"aaa..."');
  assert(quoteStart("a😀", 2).isWellFormed());
});
