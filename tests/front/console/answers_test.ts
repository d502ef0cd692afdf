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
  return { keyboard, type: (typed: Typed) => takers.at(-1)?.(typed), takers };
}

const never = new AbortController().signal;

Deno.test("single keys answer; words, arrows and pastes do not", async () => {
  const { keyboard, type, takers } = testKeyboard();
  const answered = withKeys(keyboard, never, { interrupt() {} }, async (next) => {
    const asked = next();
    for (const text of ["yes", "\x1b[A", "ä", "S\r"]) type(keys(text));
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
  const key = await withKeys(keyboard, never, { interrupt() {}, typing }, (next) => {
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
  const key = await withKeys(keyboard, never, { interrupt() {}, typing }, (next) => {
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
  const asked = withKeys(keyboard, stop.signal, { interrupt }, (next) => next());
  type(keys("\x03"));
  await assert.rejects(asked, /stopped/);
  await assert.rejects(
    withKeys(keyboard, stop.signal, { interrupt }, (next) => next()),
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
