import assert from "node:assert/strict";
import { shortenToWidth, startOfWidth, textWidth } from "../../src/lib/text_width.ts";

Deno.test("a text's columns are counted as terminals do", () => {
  const widths: [string, number][] = [
    ["", 0],
    ["plain", 5],
    ["grün", 4],
    ["gru\u0308n", 4],
    ["漢字", 4],
    ["한국어", 6],
    ["ｆｕｌｌ", 8],
    ["ﾊﾝｶｸ", 5 - 1],
    ["🎉", 2],
    ["👨‍👩‍👧", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["❤", 1],
    ["→ ✓ ●", 5],
    ["\u200b", 0],
  ];
  for (const [text, width] of widths) assert.equal(textWidth(text), width, JSON.stringify(text));
});

Deno.test("a text is cut between whole characters", () => {
  assert.equal(startOfWidth("漢字", 3), "漢");
  assert.equal(startOfWidth("a👨‍👩‍👧b", 2), "a");
  assert.equal(startOfWidth("a👨‍👩‍👧b", 3), "a👨‍👩‍👧");
  assert.equal(startOfWidth("plain", 0), "");
  assert.equal(shortenToWidth("plain", 5), "plain");
  assert.equal(shortenToWidth("plainly", 5), "plai…");
  assert.equal(shortenToWidth("漢字漢字", 5), "漢字…");
  assert.equal(shortenToWidth("漢字漢字", 0), "");
});
