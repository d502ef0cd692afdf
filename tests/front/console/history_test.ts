import assert from "node:assert/strict";
import { join } from "node:path";
import { decodeEntry, encodeEntry, openHistory } from "../../../src/front/console/history.ts";
import { historyFile } from "../../../src/host/history_file.ts";
import { posix, testWhere } from "../../support/test_where.ts";

async function inFolder(use: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-history-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("an entry is one line and comes back as it was", () => {
  for (
    const text of [
      "plain",
      "two\nlines",
      "back\\slash \\n",
      "\\\\n\n",
      "a\tb\r\x1b[2J\x7f",
      "ü ⏎ 😀",
    ]
  ) {
    const line = encodeEntry(text);
    assert.doesNotMatch(line, /(?!\t)\p{Cc}/u);
    assert.equal(decodeEntry(line), text);
  }
});

Deno.test("lines of another hand are read as they are", () => {
  assert.equal(decodeEntry("C:\\dir \\q \\x4"), "C:\\dir \\q \\x4");
});

Deno.test("blank lines, repetitions and lines that start with a space are not kept", () =>
  inFolder((folder) => {
    const path = join(folder, "home", "history");
    const history = openHistory(historyFile(path));
    for (const line of ["one", "one", "", "  ", " secret", "two", "one"]) history.add(line);
    assert.deepEqual(history.entries(), ["one", "two", "one"]);
    assert.equal(Deno.readTextFileSync(path), "one\ntwo\none\n");
  }));

testWhere(posix, "only its owner may read the file and its folder", () =>
  inFolder((folder) => {
    const path = join(folder, "home", "history");
    openHistory(historyFile(path)).add("one");
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    assert.equal(Deno.statSync(join(folder, "home")).mode! & 0o777, 0o700);
  }));

Deno.test("two programs add to one file, and none loses a line", () =>
  inFolder((folder) => {
    const path = join(folder, "history");
    const a = openHistory(historyFile(path)), b = openHistory(historyFile(path));
    for (let index = 0; index < 50; index++) {
      a.add(`a${index}`);
      b.add(`b${index}`);
    }
    assert.equal(Deno.readTextFileSync(path).trimEnd().split("\n").length, 100);
  }));

Deno.test("the file never holds more than 500 lines for long", () =>
  inFolder((folder) => {
    const path = join(folder, "history");
    const history = openHistory(historyFile(path));
    for (let index = 0; index < 700; index++) history.add(`line ${index}`);
    const lines = Deno.readTextFileSync(path).trimEnd().split("\n");
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [500, "line 200", "line 699"]);
    assert.equal(history.entries().length, 500);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["history"]);
  }));

testWhere(
  posix,
  "what is no file is neither read nor written, and disturbs nobody",
  () =>
    inFolder(async (folder) => {
      const pipe = join(folder, "pipe");
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      Deno.writeTextFileSync(join(folder, "file"), "");
      const paths = [folder, join(folder, "file", "history"), pipe, "/dev/full"];
      for (const path of paths) {
        const history = openHistory(historyFile(path));
        history.add("kept in memory");
        assert.deepEqual(history.entries(), ["kept in memory"]);
      }
    }),
);
