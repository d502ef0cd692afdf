import assert from "node:assert/strict";
import { openKeyboard, type Typed, typedSplitter } from "../../../src/front/console/keyboard.ts";

const keys = (text: string): Typed => ({ kind: "keys", text });
const paste = (text: string): Typed => ({ kind: "paste", text });

/** What comes of `text` cut into pieces of `size`, neighbouring keys joined. */
function typed(text: string, size: number): Typed[] {
  const split = typedSplitter();
  const found: Typed[] = [];
  for (let at = 0; at < text.length; at += size) {
    for (const part of split(text.slice(at, at + size))) {
      const last = found.at(-1);
      if (part.kind === "keys" && last?.kind === "keys") {
        found[found.length - 1] = keys(last.text + part.text);
        continue;
      }
      // what may be an Escape is not waited for, and does no harm before a paste
      if (last?.kind === "keys" && ["\x1b", "\x1b["].some((start) => last.text.endsWith(start))) {
        found[found.length - 1] = keys(last.text.slice(0, last.text.lastIndexOf("\x1b")));
      }
      found.push(part);
    }
  }
  return found;
}

Deno.test("a paste is told from keys, however it is cut", () => {
  const text = "ab\x1b[200~one\r\ntwo\rthree\nfour\x1b[201~cd\x1b[A\x1b[200~\x1b[201~";
  const wanted = [keys("ab"), paste("one\ntwo\nthree\nfour"), keys("cd\x1b[A"), paste("")];
  for (const size of [text.length, 50, 9, 7, 5, 3, 2, 1]) {
    assert.deepEqual(typed(text, size), wanted);
  }
});

Deno.test("a paste that holds what starts a paste ends at its end", () => {
  assert.deepEqual(typed("\x1b[200~a\x1b[200~b\x1b[201~c", 100), [
    paste("a\x1b[200~b"),
    keys("c"),
  ]);
});

Deno.test("single keys that look like the start of a paste are not held back", () => {
  const split = typedSplitter();
  assert.deepEqual(split("\x1b"), [keys("\x1b")]);
  assert.deepEqual(split("\x1b["), [keys("\x1b[")]);
  assert.deepEqual(split("\x1b[2~"), [keys("\x1b[2~")]);
  assert.deepEqual(["\x1b", "[", "A", "\x1b", "[2", "~", "\x1bx"].flatMap(split), [
    ...[keys("\x1b"), keys("["), keys("A"), keys("\x1b"), keys("[2~"), keys("\x1bx")],
  ]);
});

Deno.test("the newest taker gets what is typed, the earlier one after it", async () => {
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  const keyboard = openKeyboard({
    async *readIn() {
      yield* pieces.readable;
    },
  }, "keys");
  const got: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  keyboard.take((typed) => {
    got.push(typed.kind === "keys" ? `first ${typed.text}` : typed.kind);
    if (typed.kind === "end") end();
  });
  const next = Promise.withResolvers<void>();
  const release = keyboard.take((typed) => {
    got.push(typed.kind === "keys" ? `second ${typed.text}` : typed.kind);
    next.resolve();
  });
  const bytes = new TextEncoder().encode("ä");
  await writer.write(bytes.slice(0, 1));
  await writer.write(bytes.slice(1));
  await next.promise;
  release();
  await writer.write(new TextEncoder().encode("b"));
  await writer.close();
  await ended;
  keyboard.close();
  assert.deepEqual(got, ["second ä", "first b", "end"]);
});
