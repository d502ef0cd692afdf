import assert from "node:assert/strict";
import { openHistory } from "../../../src/front/console/history.ts";
import { createLineEditor } from "../../../src/front/console/line_editor.ts";
import type { LineEditor } from "../../../src/front/console/line_editor_port.ts";

function editorOf(found: readonly string[] = []): { editor: LineEditor; written: () => string } {
  let written = "";
  const editor = createLineEditor({
    terminal: {
      columns: 80,
      writeOut(text) {
        written += text;
        return Promise.resolve();
      },
    },
    history: openHistory(undefined),
    complete: (word) =>
      Promise.resolve({
        word,
        found: found.filter((text) => text.startsWith(word)).map((text) => ({ text })),
      }),
    changeMode: () => "plan > ",
    dumb: false,
  });
  return { editor, written: () => written };
}

const line = (text: string) => ({ kind: "line", text });

/** Feeds keys, `<...>` being a paste, and gives what each read ended with. */
async function ends(keys: readonly string[], reads: number): Promise<unknown[]> {
  const { editor } = editorOf();
  const results: unknown[] = [];
  try {
    for (const text of keys) {
      const paste = /^<([\s\S]*)>$/.exec(text)?.[1];
      editor.feed(paste === undefined ? { kind: "keys", text } : { kind: "paste", text: paste });
    }
    for (let index = 0; index < reads; index++) results.push(await editor.read("> "));
  } finally {
    editor.close();
  }
  return results;
}

Deno.test("what was typed ahead is read line by line, and nothing is lost", async () => {
  assert.deepEqual(await ends(["one\rtwo\rthr", "ee\r"], 3), ["one", "two", "three"].map(line));
  assert.deepEqual(await ends(["a\nb\n"], 2), ["a", "b"].map(line));
});

Deno.test("editing keys do what they do in a shell", async () => {
  const left = "\x1b[D", home = "\x01", kill = "\x15", backspace = "\x7f";
  assert.deepEqual(await ends([`ac${left}b\r`], 1), [line("abc")]);
  assert.deepEqual(await ends([`bc${home}a\r`], 1), [line("abc")]);
  assert.deepEqual(await ends([`junk${kill}abc\r`], 1), [line("abc")]);
  assert.deepEqual(await ends([`abx${backspace}c\r`], 1), [line("abc")]);
  assert.deepEqual(await ends(["grün😀x\x7f\r"], 1), [line("grün😀")]);
});

Deno.test("the arrows walk through a text, then through earlier ones, and lose nothing", async () => {
  const up = "\x1b[A", down = "\x1bOB", left = "\x1b[D";
  assert.deepEqual(await ends(["first\r", `${up}\r`], 2), [line("first"), line("first")]);
  const walks: [keys: string, sent: string][] = [
    [`draft${left}${left}${up}${up}${up}${down}${down}\r`, "draft"],
    [`${up}${up}!${down}?${up}\r`, "a!"],
    [`${up}${up}${down}${down}${down}x\r`, "x"],
    [`x\x1b\ry${up}1${down}2\r`, "x1\ny2"],
    [`xyz\x1b\r1${up}${up}${down}\r`, "xyz\n1"],
    ["\x10\x10\r", "a"],
  ];
  for (const [keys, sent] of walks) {
    assert.deepEqual(await ends([`a\rb\r${keys}`], 3), [line("a"), line("b"), line(sent)], keys);
  }
});

Deno.test("a paste is one text, Enter sends it from anywhere in it", async () => {
  assert.deepEqual(await ends(["see ", "<a\nb\nc>", "!\r"], 1), [line("see a\nb\nc!")]);
  assert.deepEqual(await ends(["<a\nb\nc>", "\x1b[D\x1b[D\x1b[D\r"], 1), [line("a\nb\nc")]);
  const long = "x\n".repeat(1000);
  assert.deepEqual(await ends(["see ", `<${long}>`, "\r"], 1), [line(`see ${long}`)]);
});

Deno.test("a line goes on behind one backslash, not behind two, and with Alt-Enter", async () => {
  assert.deepEqual(await ends(["a\\\rb\r"], 1), [line("a\nb")]);
  assert.deepEqual(await ends(["a\\\\\r"], 1), [line("a\\\\")]);
  assert.deepEqual(await ends(["a\x1b\rb\r"], 1), [line("a\nb")]);
  assert.deepEqual(await ends(["a\x1b[13;2ub\r"], 1), [line("a\nb")]);
});

Deno.test("Ctrl-C clears, Ctrl-D ends an empty line only", async () => {
  assert.deepEqual(await ends(["ab\x03", "\x03", "cd\x04\r", "\x04"], 4), [
    { kind: "interrupt", empty: false },
    { kind: "interrupt", empty: true },
    line("cd"),
    { kind: "end" },
  ]);
});

Deno.test("a line that was typed ahead of an interruption waits, and is not sent", async () => {
  const { editor } = editorOf();
  editor.feed({ kind: "keys", text: "one\rtwo\r" });
  editor.unsend();
  const read = editor.read("> ");
  editor.feed({ kind: "keys", text: "!\r" });
  assert.deepEqual(await read, line("one\ntwo!"));
  editor.close();
});

Deno.test("a read can be ended from outside", async () => {
  const { editor } = editorOf();
  const read = editor.read("> ");
  editor.end();
  assert.deepEqual(await read, { kind: "end" });
  editor.close();
});

Deno.test("the one completion is filled in", async () => {
  const { editor, written } = editorOf(["/help ", "/model "]);
  const read = editor.read("> ");
  editor.feed({ kind: "keys", text: "/he" });
  editor.feed({ kind: "keys", text: "\t" });
  const deadline = Date.now() + 10_000;
  while (!written().includes("/help")) {
    assert.ok(Date.now() < deadline, written());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  editor.feed({ kind: "keys", text: "\r" });
  assert.deepEqual(await read, line("/help "));
  editor.close();
});

Deno.test("a long line without paste marks is put in as it comes, and shown once a piece", async () => {
  const { editor, written } = editorOf();
  const text = "words ".repeat(10_000);
  const read = editor.read("> ");
  for (let at = 0; at < text.length; at += 4096) {
    editor.feed({ kind: "keys", text: text.slice(at, at + 4096) });
  }
  editor.feed({ kind: "keys", text: "\r" });
  assert.deepEqual(await read, line(text));
  assert.ok(written().length < 20 * text.length, `${written().length} characters were written`);
  editor.close();
});

Deno.test("very many lines and keys typed ahead are all read, in order", async () => {
  const many = 2000;
  const keys = Array.from({ length: many }, (_, index) => `line ${index}x\x7f\r`).join("");
  assert.deepEqual(
    (await ends([keys], many)).at(-1),
    line(`line ${many - 1}`),
  );
});

Deno.test("an escape sequence that comes in parts is still one, whatever follows", async () => {
  const words = "some words that follow at once, quite a few of them";
  assert.deepEqual(await ends(["ac\x1b", `[Db${words}`, "\r"], 1), [line(`ab${words}c`)]);
  assert.deepEqual(await ends(["ac\x1b[", `Db${words}\r`], 1), [line(`ab${words}c`)]);
  assert.deepEqual(await ends([`ac\x1b[Db${words}\r`], 1), [line(`ab${words}c`)]);
});
