import assert from "node:assert/strict";
import { createDraft } from "../../../src/front/console/draft.ts";

/** Types `pieces`, in which a text in a list is a paste; gives what was finished, and what is left. */
function typed(...pieces: (string | [string])[]) {
  const draft = createDraft();
  const finished: string[] = [];
  for (const piece of pieces) {
    const kind = typeof piece === "string" ? "keys" : "paste";
    draft.take({ kind, text: typeof piece === "string" ? piece : piece[0] }, (text, end) => {
      finished.push(end === "enter" ? text : `at the end: ${text}`);
    });
  }
  return { finished, left: draft.text };
}

Deno.test("Enter and Alt-Enter finish a text, also several in one piece", () => {
  assert.deepEqual(typed("one\rtwo\x1b\rth", "ree"), {
    finished: ["one", "at the end: two"],
    left: "three",
  });
  assert.deepEqual(typed("x\x1b", "\r"), { finished: ["at the end: x"], left: "" });
});

Deno.test("a backslash before Enter begins a line, two are one text", () => {
  assert.deepEqual(typed("a\x1b[13;2ub\x1b[27;2;13~c\r"), { finished: ["a\nb\nc"], left: "" });
  assert.deepEqual(typed("a\\\rb\r"), { finished: ["a\nb"], left: "" });
  assert.deepEqual(typed("a\\\\\r"), { finished: ["a\\\\"], left: "" });
});

Deno.test("keys edit the end of the text", () => {
  assert.equal(typed("abc\x7f\bd").left, "ad");
  assert.equal(typed("ab👨‍👩‍👧\x7fc").left, "abc");
  assert.equal(typed("漢字\x7f").left, "漢");
  assert.equal(typed("one two \x17x").left, "one x");
  assert.equal(typed("one\\\rtwo\x15x").left, "one\nx");
  assert.equal(typed("\x7f\x17\x15").left, "");
});

Deno.test("other keys have no meaning, whole or cut", () => {
  assert.equal(typed("a\x1b[A\x1b[1;5Cb\x1bOPc\x1bxd\te\x01f").left, "abcdef");
  assert.equal(typed("a\x1b[", "Ab").left, "ab");
  assert.equal(typed("a\x1b", "[Bb").left, "ab");
  assert.equal(typed("a\x1b", "b").left, "ab");
});

Deno.test("a paste is text, whatever it holds", () => {
  assert.deepEqual(typed("see ", ["one\ntwo\n"], "ok\r"), {
    finished: ["see one\ntwo\nok"],
    left: "",
  });
});
