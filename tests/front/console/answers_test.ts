import assert from "node:assert/strict";
import { readLine, withKeys } from "../../../src/front/console/answers.ts";
import type { Keyboard, Taker, Typed } from "../../../src/front/console/keyboard.ts";

const keys = (text: string): Typed => ({ kind: "keys", text });

/** A keyboard that a test types on. */
function testKeyboard() {
  const takers: Taker[] = [];
  const keyboard: Keyboard = {
    take(taker) {
      takers.push(taker);
      return () => void takers.splice(takers.indexOf(taker), 1);
    },
    close() {},
  };
  const type = (typed: Typed) => {
    for (const taker of takers.toReversed()) if (taker(typed) !== false) return;
  };
  return { keyboard, type, takers };
}

const letters = ["s", "p", "n", "y"];
const never = new AbortController().signal;

Deno.test("single keys answer; words, arrows and pastes do not", async () => {
  const { keyboard, type, takers } = testKeyboard();
  const answered = withKeys(keyboard, never, { letters, interrupt() {} }, async (next) => {
    const asked = next();
    for (const text of ["hm", "\r", "\x1b[A", "ä", "\x7f", "S\r"]) type(keys(text));
    type({ kind: "paste", text: "n" });
    for (const text of ["\r", "\n", "\x04"]) type(keys(text));
    type({ kind: "end" });
    return [await asked, await next(), await next(), await next(), await next()];
  });
  assert.deepEqual(await answered, ["s", "\r", "\r", "n", "n"]);
  assert.equal(takers.length, 0);
});

Deno.test("keys before the question is shown are kept for later, and answer nothing", async () => {
  const { keyboard, type } = testKeyboard();
  const kept: Typed[] = [];
  const typing = {
    lastMs: () => -Infinity,
    nowMs: () => 0,
    keep: (typed: Typed) => void kept.push(typed),
  };
  const key = await withKeys(keyboard, never, { letters, interrupt() {}, typing }, (next) => {
    type(keys("s"));
    type({ kind: "paste", text: "pasted" });
    const asked = next();
    type(keys("n"));
    return asked;
  });
  assert.equal(key, "n");
  assert.deepEqual(kept, [keys("s"), { kind: "paste", text: "pasted" }]);
});

Deno.test("who types when the question comes answers after a pause", async () => {
  const { keyboard, type } = testKeyboard();
  let nowMs = 10_000;
  const kept: string[] = [];
  const typing = {
    lastMs: () => 9_800,
    nowMs: () => nowMs,
    keep: (typed: Typed) => void kept.push(typed.kind === "keys" ? typed.text : typed.kind),
  };
  const key = await withKeys(keyboard, never, { letters, interrupt() {}, typing }, (next) => {
    const asked = next();
    for (const [afterMs, text] of [[100, "p"], [300, "s"], [500, "\r"], [700, "n"]] as const) {
      nowMs += afterMs;
      type(keys(text));
    }
    return asked;
  });
  assert.equal(key, "n");
  assert.deepEqual(kept, ["p", "s", "\r"]);
});

Deno.test("Ctrl-C interrupts, and the signal ends the question", async () => {
  const { keyboard, type, takers } = testKeyboard();
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error("stopped"));
  const asked = withKeys(keyboard, stop.signal, { letters, interrupt }, (next) => next());
  type(keys("\x03"));
  await assert.rejects(asked, /stopped/);
  await assert.rejects(
    withKeys(keyboard, stop.signal, { letters, interrupt }, (next) => next()),
    /stopped/,
  );
  assert.equal(takers.length, 0);
});

Deno.test("a short line is echoed, edited, and ended by Enter", async () => {
  const { keyboard, type } = testKeyboard();
  let echoed = "";
  const line = readLine(keyboard, never, {
    interrupt() {},
    echo(text) {
      echoed += text;
      return Promise.resolve();
    },
  });
  type(keys("yx\x7f\x1b"));
  type({ kind: "paste", text: "no" });
  type(keys("es\rmore"));
  assert.equal(await line, "yes");
  assert.equal(echoed, "yx\b \bes");
});

Deno.test("a word answers as a whole, and its letters do not", async () => {
  const cases: [typed: string[], key: string][] = [
    [["no", "\r"], "n"],
    [["no\r"], "n"],
    [["d", "e", "n", "y", "\r"], "n"],
    [["O", "nce", "\r"], "y"],
    [["whatever", "\r", "\r"], "\r"],
    [["w", "hy not", "\r", "p"], "p"],
    [["x", "\x7f", "\r"], "\r"],
  ];
  for (const [typed, key] of cases) {
    const { keyboard, type } = testKeyboard();
    const answered = withKeys(keyboard, never, { letters, interrupt() {} }, (next) => {
      const asked = next();
      for (const text of typed) type(keys(text));
      return asked;
    });
    assert.equal(await answered, key, typed.join(" "));
  }
});

Deno.test("the rest of a word whose first letter answered is swallowed, other text is not", async () => {
  const cases: [first: string, more: string[], kept: string[], passed: string[]][] = [
    ["y", ["e", "s", "\r", "x"], [], ["x"]],
    ["y", ["es\r", "x"], [], ["x"]],
    ["n", ["o", "\r", "fix it"], [], ["fix it"]],
    ["n", ["\r", "o"], [], ["o"]],
    ["s", ["e", "very"], ["e"], ["very"]],
    ["s", ["\x03"], [], ["\x03"]],
  ];
  for (const [first, more, expectedKept, expectedPassed] of cases) {
    const { keyboard, type } = testKeyboard();
    const kept: string[] = [], passed: string[] = [];
    const textOf = (typed: Typed) => typed.kind === "keys" ? typed.text : typed.kind;
    keyboard.take((typed) => void passed.push(textOf(typed)));
    const typing = {
      lastMs: () => -Infinity,
      nowMs: () => 0,
      keep: (typed: Typed) => void kept.push(textOf(typed)),
    };
    const key = await withKeys(keyboard, never, { letters, interrupt() {}, typing }, (next) => {
      const asked = next();
      type(keys(first));
      return asked;
    });
    assert.equal(key, first);
    for (const text of more) type(keys(text));
    assert.deepEqual([kept, passed], [expectedKept, expectedPassed], [first, ...more].join(" "));
  }
});

Deno.test("after a pause what is typed is no rest of a word", async () => {
  const { keyboard, type } = testKeyboard();
  let nowMs = 0;
  const passed: Typed[] = [];
  keyboard.take((typed) => void passed.push(typed));
  const typing = { lastMs: () => -Infinity, nowMs: () => nowMs, keep() {} };
  await withKeys(keyboard, never, { letters, interrupt() {}, typing }, (next) => {
    const asked = next();
    type(keys("n"));
    return asked;
  });
  nowMs = 1000;
  type(keys("o"));
  assert.deepEqual(passed, [keys("o")]);
});

Deno.test("a letter after a pause begins anew, and Enter ends the word whenever it comes", async () => {
  const cases: [typed: [afterMs: number, text: string][], key: string][] = [
    [[[0, "x"], [700, "n"]], "n"],
    [[[0, "no"], [5000, "\r"]], "n"],
    [[[0, "x"], [5000, "\r"], [10, "\r"]], "\r"],
  ];
  for (const [typed, expected] of cases) {
    const { keyboard, type } = testKeyboard();
    let nowMs = 10_000;
    const typing = { lastMs: () => -Infinity, nowMs: () => nowMs, keep() {} };
    const answered = withKeys(keyboard, never, { letters, interrupt() {}, typing }, (next) => {
      const asked = next();
      for (const [afterMs, text] of typed) {
        nowMs += afterMs;
        type(keys(text));
      }
      return asked;
    });
    assert.equal(await answered, expected, typed.join(" "));
  }
});
