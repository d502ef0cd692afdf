import assert from "node:assert/strict";
import { bashGrantKey } from "../../src/core/grant_key.ts";

Deno.test("runs of blanks outside quotes are one space, those at the ends are nothing", () => {
  for (const command of ["npm  test", " npm test\t", "npm\t \ttest", "npm test"]) {
    assert.equal(bashGrantKey(command), "bash:npm test");
  }
});

Deno.test("what is quoted or escaped is kept to the letter", () => {
  for (
    const command of [
      "echo 'a  b'",
      'echo "a  b"',
      'echo "a \\" b  c"',
      "echo a\\  b",
      "echo a\\ ",
      "echo 'it'\\''s  b'",
      "printf '%s\\t' \"$x  y\"",
    ]
  ) assert.equal(bashGrantKey(command).replace("a\\  b", "a\\  b"), `bash:${command}`);
});

Deno.test("newlines are never folded", () => {
  assert.equal(bashGrantKey("a\n\nb"), "bash:a\n\nb");
  assert.notEqual(bashGrantKey("a\nb"), bashGrantKey("a b"));
});

Deno.test("commands that differ within quotes never share a key, whatever stands before them", () => {
  const before = [
    "# it's\n",
    "cat <<E\nit's\nE\n",
    'echo "$(echo \')")" ',
    "echo `echo \\'` ",
    "echo ${x#\\'} ",
    "echo a${x#\\'} ",
    "a=b`echo \\'` ",
    "echo $'\\'' ",
    'echo "${x:-\'}" ',
    "(( a # ' \n)); ",
    "echo a#'b' ",
    "x=$((1 # '\n)); ",
  ];
  for (const start of before) {
    assert.notEqual(bashGrantKey(`${start}echo 'a  b'`), bashGrantKey(`${start}echo 'a b'`), start);
  }
});

Deno.test("an open quote keeps the rest as it is", () => {
  assert.equal(bashGrantKey("echo  'a  b"), "bash:echo 'a  b");
});

Deno.test("a long command takes no more than a moment", () => {
  const long = "echo  x; ".repeat(20_000);
  const start = performance.now();
  bashGrantKey(long);
  assert.ok(performance.now() - start < 5000);
});
