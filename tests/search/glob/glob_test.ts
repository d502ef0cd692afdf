import assert from "node:assert/strict";
import { expandBraces } from "../../../src/search/glob/braces.ts";
import { parseFileGlob } from "../../../src/search/glob/file_glob.ts";
import { parseGlob } from "../../../src/search/glob/glob.ts";

const rules: [rule: string, pattern: string, yes: string[], no: string[]][] = [
  ["a star stays within its segment", "src/*.ts", ["src/a.ts", "src/.ts"], ["src/a/b.ts", "a.ts"]],
  ["a star matches a leading dot", "*", ["a", ".env"], ["a/b"]],
  ["stars may be several in a segment", "*a*b*", ["ab", "xaxbx"], ["ba", "a", "b"]],
  ["two stars are any number of segments", "**/x", ["x", "a/x", ".a/b/x"], ["xx", "x/y"]],
  ["two stars in the middle", "a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/bb", "b"]],
  ["two stars at the end need something below", "a/**", ["a/b", "a/b/c"], ["a", "b/c"]],
  ["two stars alone match everything", "**", ["a", "a/b", ".a/.b"], []],
  ["two stars inside a segment are one", "a**b", ["ab", "axb"], ["a/b"]],
  ["neighbouring double stars are one", "**/**/x", ["x", "a/b/x"], ["y"]],
  ["a question mark is one character", "?.ts", ["a.ts", "\u{1F600}.ts"], ["ab.ts", ".ts", "/.ts"]],
  ["a set is one of its characters", "[a-cx].ts", ["b.ts", "x.ts"], ["d.ts", "bb.ts"]],
  ["a negated set is another one", "[!a-c]", ["d", "."], ["a", "dd"]],
  ["a caret negates as well", "[^a]", ["b"], ["a"]],
  ["a bracket first in a set is a member", "[]a]", ["]", "a"], ["b"]],
  ["a dash at an end is a member", "[a-]", ["a", "-"], ["b"]],
  ["a class in a set", "[[:digit:]_]", ["7", "_"], ["a"]],
  ["an unknown class holds nothing", "[[:nope:]a]", ["a"], ["n", ":"]],
  ["a bracket that is never closed is itself", "a[b", ["a[b"], ["ab"]],
  ["braces are alternatives", "*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js", "a.{ts,tsx}"]],
  ["braces nest and may be empty", "a{,b{c,d}}", ["a", "abc", "abd"], ["ab"]],
  ["braces may hold slashes", "{src,test/unit}/*.ts", ["src/a.ts", "test/unit/b.ts"], [
    "test/b.ts",
  ]],
  ["braces without a comma are themselves", "{a}", ["{a}"], ["a"]],
  ["braces that are never closed are themselves", "{a,b", ["{a,b"], ["a", "b"]],
  ["braces without a comma within braces are themselves", "{x{a},b}", ["x{a}", "b"], ["x{a"]],
  ["a bracket that only a class would close is itself", "[[:alpha:]", ["[a", "[:"], ["b"]],
  ["a slash ends a bracket that is not closed", "[a/b]", ["[a/b]"], ["a"]],
  ["a comma in a set does not part braces", "{[,],x}", [",", "x"], ["[", "]"]],
  ["a backslash makes the next character itself", "\\*\\{a,b\\}", ["*{a,b}"], ["xa"]],
  ["other characters are themselves", "a+(b).$^|", ["a+(b).$^|"], ["aab"]],
];

for (const [rule, pattern, yes, no] of rules) {
  Deno.test(`glob: ${rule}: ${pattern}`, () => {
    const glob = parseGlob(pattern);
    assert.ok(glob);
    for (const path of yes) assert.equal(glob.test(path), true, `${path} should match`);
    for (const path of no) assert.equal(glob.test(path), false, `${path} should not match`);
  });
}

Deno.test("glob: every name that matches ends in one of the endings", () => {
  const endingsOf = (pattern: string) => parseFileGlob(pattern, "/w").endings;
  for (const [, pattern, yes] of rules) {
    const endings = endingsOf(pattern);
    for (const path of yes) {
      const hasOne = endings === undefined || endings.some((ending) => path.endsWith(ending));
      assert.ok(hasOne, `${path} ends in none of ${endings}, which are those of ${pattern}`);
    }
  }
  assert.deepEqual(endingsOf("**/*.{ts,tsx}"), [".ts", ".tsx"]);
  assert.deepEqual(endingsOf("src/a[0-9]?*b\\*"), ["b*"]);
  assert.deepEqual(endingsOf("a[b].c"), [".c", "a[b].c"]);
  for (const pattern of ["**", "src/*", "*.t?", "{*.ts,a*}", "*\ufffd", "*\ud800"]) {
    assert.equal(endingsOf(pattern), undefined, pattern);
  }
});

Deno.test("glob: stars without end are matched in bounded time", () => {
  const glob = parseGlob(`${"*a".repeat(60)}b`);
  assert.ok(glob);
  assert.equal(glob.test("a".repeat(4000)), false);
  const deep = parseGlob(`${"**/a/".repeat(60)}b`);
  assert.equal(deep?.test("a/".repeat(2000) + "c"), false);
});

Deno.test("glob: braces are expanded only so far", () => {
  assert.equal(expandBraces("{a,b}".repeat(9))?.length, 512);
  assert.equal(expandBraces("{a,b}".repeat(10)), undefined);
  assert.equal(expandBraces(`{${"{a,b}".repeat(12)},c}`), undefined);
});

Deno.test("glob: alternatives are bounded in number and in length", () => {
  assert.equal(expandBraces(`{${",".repeat(999)}}`)?.length, 1000);
  assert.equal(expandBraces(`{${",".repeat(1000)}}`), undefined);
  assert.equal(expandBraces(`{a,b}{a,b}{a,b}{a,b}${"x".repeat(4000)}`)?.length, 16);
  assert.equal(expandBraces(`{a,b}{a,b}{a,b}{a,b}{a,b}${"x".repeat(4000)}`), undefined);
});

Deno.test("glob: a pattern longer than any path is refused", () => {
  assert.equal(parseFileGlob("x".repeat(4096), "/w").literal?.length, 4096);
  assert.throws(
    () => parseFileGlob("[".repeat(400_000), "/w"),
    /^ToolFailure: glob: expected at most 4096 characters, found 400000$/,
  );
});
