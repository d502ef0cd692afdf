import assert from "node:assert/strict";
import { shellWord } from "../../src/lib/shell_word.ts";
import { posix, testWhere } from "../support/test_where.ts";

Deno.test("a plain word stays as it is", () => {
  for (const word of ["a", "/usr/bin/x-1", "a@b:c+d%e"]) assert.equal(shellWord(word), word);
});

testWhere(posix, "a shell reads back exactly the text that was quoted", async () => {
  const odd = [
    "",
    " ",
    "a b",
    "it's",
    "''",
    "$HOME",
    "`x`",
    "a\nb",
    "*",
    "~",
    "-n",
    "\\",
    '"',
    "é😀",
    ";",
  ];
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `printf '%s\\0' ${odd.map(shellWord).join(" ")}`],
  }).output();
  assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), odd);
});
