import assert from "node:assert/strict";
import { createStyle } from "../../../src/front/console/style.ts";
import { textFlow } from "../../../src/front/console/text_flow.ts";
import { textWidth } from "../../../src/lib/text_width.ts";

const named = {
  bold: (text: string) => `<b>${text}</b>`,
  dim: (text: string) => `<d>${text}</d>`,
  cyan: (text: string) => `<c>${text}</c>`,
};

/** What is written for `text` that comes in pieces of `size` characters. */
function flown(
  text: string,
  columns: number,
  size = Infinity,
  style = createStyle(false) as typeof named,
) {
  let out = "";
  const width = () => textWidth(out.slice(out.lastIndexOf("\n") + 1));
  const flow = textFlow({ style, columns: () => columns, width });
  for (let at = 0; at < text.length; at += size) out += flow.push(text.slice(at, at + size));
  return out + flow.end();
}

const marked = (text: string) => flown(text, 200, Infinity, named);

Deno.test("words are broken at blanks, later lines begin under the text", () => {
  assert.equal(flown("one two three four", 10), "one two\nthree\nfour");
  assert.equal(flown("- one two three\n", 10), "- one two\n  three\n");
  assert.equal(flown("12. one two three", 12), "12. one two\n    three");
  assert.equal(flown("  * one two three", 12), "  * one two\n    three");
  assert.equal(flown("> one two three", 10), "> one two\n  three");
  assert.equal(flown("a  b\n\nc", 10), "a  b\n\nc");
});

Deno.test("code, tables and long words stay as they are", () => {
  const same = [
    "```sh\nnpm run something --with many --flags\n```\n",
    "~~~\n```\nlong line of code in here\n~~~\n",
    "| a table | that is wide | wide |\n|---|---|---|\n",
    "a | b\n---|---\na row that is | long enough to break\n\n",
    "    indented code that is long enough\n",
    "https://example.com/a/very/long/address\n",
    "`a command with blanks in it`\n",
    "-------------------------\n",
  ];
  for (const text of same) assert.equal(flown(text, 10), text);
  assert.equal(flown("run `npm test all` now", 12), "run\n`npm test all` now");
});

Deno.test("wide text breaks anywhere, but not before what closes", () => {
  assert.equal(flown("日本語の文章です。", 8), "日本語\nの文章\nです。");
  assert.equal(flown("漢字、漢字", 6), "漢\n字、\n漢字");
  assert.equal(flown("🎉🎉🎉", 5), "🎉🎉\n🎉");
});

Deno.test("bold, code, headings and fences are coloured, and their marks stay", () => {
  const forms: [string, string][] = [
    ["a **bold word** b", "a <d>**</d><b>bold</b> <b>word</b><d>**</d> b"],
    ["(**b**),", "(<d>**</d><b>b</b><d>**</d>),"],
    ["run `npm  test`.", "run <d>`</d><c>npm  test</c><d>`</d>."],
    ["``a ` b``", "<d>``</d><c>a ` b</c><d>``</d>"],
    ["## Big title", "<d>##</d> <b>Big</b> <b>title</b>"],
    ["```ts\nx**y**\n```\n", "<d>```ts</d>\nx**y**\n<d>```</d>\n"],
    ["2 ** 3 and a**b and f(x)", "2 ** 3 and a**b and f(x)"],
    ["\\**no**", "\\**no**"],
    ["**never closed\nplain", "<d>**</d><b>never</b> <b>closed</b>\nplain"],
    ["#hashtag", "#hashtag"],
    ["an ` open tick", "an ` open tick"],
    ["- **a**", "- <d>**</d><b>a</b><d>**</d>"],
    ["**a** b", "<d>**</d><b>a</b><d>**</d> b"],
  ];
  for (const [text, expected] of forms) assert.equal(marked(text), expected);
});

Deno.test("nothing is lost or changed but blanks at breaks, however it is cut", () => {
  const text = "# Title one\n\nSome **bold** and `code span`, 漢字かな。 x\n\n" +
    "1. item one\n2. item two with `` a`b ``\n\n```js\n  let a = `t`;\n```\n" +
    "| a | b |\n|---|---|\n\n    indented\n> quote of words\n***\n-\n*\nend `open\n\n\n";
  const solid = (shown: string) => shown.replace(/\s+/g, "");
  for (const columns of [4, 10, 20, 80]) {
    const whole = flown(text, columns);
    assert.equal(solid(whole), solid(text));
    for (const size of [1, 2, 3, 7, 20]) {
      assert.equal(flown(text, columns, size), whole, `${columns} columns, pieces of ${size}`);
    }
  }
  assert.equal(flown(text, 80), text);
});

Deno.test("words come as soon as they are whole", () => {
  let width = 0;
  const flow = textFlow({ style: named, columns: () => 80, width: () => width });
  assert.equal(flow.push("Hello wor"), "Hello");
  width = 5;
  assert.equal(flow.push("ld and"), " world");
  assert.equal(flow.push("\n"), " and\n");
  assert.equal(flow.push("```\ncode"), "<d>```</d>\ncode");
  assert.equal(flow.push(" more"), " more");
});

Deno.test("a line that something came in between goes on at the start of the next", () => {
  const flow = textFlow({ style: named, columns: () => 80, width: () => 0 });
  assert.equal(flow.push("Hello world, "), "Hello world,");
  assert.equal(flow.push("again and "), "again and");
});

Deno.test("a very long line takes time in proportion to its length", () => {
  const startMs = performance.now();
  for (const text of ["x".repeat(300_000), "`".repeat(50_000), "a `b ".repeat(20_000)]) {
    assert.equal(flown(text, 80, 1000).replace(/\s/g, ""), text.replace(/\s/g, ""));
  }
  assert.ok(performance.now() - startMs < 10_000);
});
