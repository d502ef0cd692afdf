import assert from "node:assert/strict";
import {
  hereMark,
  readSimpleCommand,
  unescaped,
  unknown,
  withoutHereDocuments,
} from "../../src/lib/shell_words.ts";

function texts(source: string) {
  return readSimpleCommand(source)?.words.map(({ text }) => text);
}

Deno.test("quotes and escapes of words are read, and variables are unknown", () => {
  assert.deepEqual(texts(`a'b c'"d e"f\\ g`), ["ab cd ef g"]);
  assert.deepEqual(texts("a \\\n b c\\\nd"), ["a", "b", "cd"]);
  assert.deepEqual(texts("$'\\x72\\155\\u0021\\n'"), ["rm!\n"]);
  assert.deepEqual(texts('"$x" ${y}z $1m "a\\$b" "5$" foo$'), [
    unknown,
    `${unknown}z`,
    `${unknown}m`,
    "a$b",
    "5$",
    "foo$",
  ]);
  assert.deepEqual(texts("''"), [""]);
});

Deno.test("assignments and redirections are kept apart from words", () => {
  const found = readSimpleCommand("A=1 B='x y' >o cmd C=2 2>&1 <in -x <<< here");
  assert.deepEqual(found?.assignments.map(({ text }) => text), ["A=1", "B=x y"]);
  assert.deepEqual(found?.words.map(({ text }) => text), ["cmd", "C=2", "-x"]);
  assert.deepEqual(found?.targets.map(({ text }) => text), ["o", "1"]);
  assert.deepEqual(found?.inputs.map(({ text }) => text), ["in", "here"]);
});

Deno.test("words know what makes other words of them", () => {
  const kinds = readSimpleCommand("{a,b} {1..3} @{u} '{a,b}' *.c \"*\" [ab] {}")!.words
    .map(({ braces, pattern }) => braces ? "braces" : pattern ? "pattern" : "");
  assert.deepEqual(kinds, ["braces", "braces", "", "", "pattern", "", "pattern", ""]);
});

Deno.test("what is more than a simple command is not read", () => {
  const others = ["a $(b)", "a `b`", "a ${b:-c}", "a; b", "a | b", "(a)", "a 'b", 'a "b', "a\nb"];
  others.push("a <(b)", "a $((1))", 'a "$(b)"', "a # b", "a >", "a\rb", "a\u00a0b", "a <<E", "a\\");
  for (const source of others) assert.equal(readSimpleCommand(source), undefined, source);
});

Deno.test("here documents are taken out where the shell ends them", () => {
  const cases = [
    ["cat <<E\nx\nE\nls", `cat <${hereMark}\nls`],
    ["cat <<'E' > f\n$(x)\nE", `cat <${hereMark} > f\n`],
    ["cat <<-E\n\tx\n\tE\nls", `cat <${hereMark}\nls`],
    ["a <<A; b <<\\B\nx\nA\n`y`\nB\nls", `a <${hereMark}; b <${hereMark}\nls`],
    ["cat <<E\n $x ${y} \\`\nE", `cat <${hereMark}\n`],
  ];
  for (const [source, expected] of cases) assert.equal(withoutHereDocuments(source!), expected);
  const kept = ["cat <<E\n$(x)\nE", "cat <<E\n`x`\nE", "cat <<E\nx\\\nE\nE", "cat <<E\nx\n E"];
  kept.push('cat <<E "\nx\nE\n"', "cat <<'E F'\nx\nE F", "cat <<< x\nE", "cat <<$x\nx\n$x");
  for (const source of kept) assert.equal(withoutHereDocuments(source), source);
});

Deno.test("escapes are read as numbers, line feeds and blanks", () => {
  assert.equal(unescaped("\\x72\\155\\u002e\\U0000002e\\n\\t\\\\\\'"), "rm..\n \\'");
  assert.equal(unescaped("\\Uffffffff"), " ");
});
