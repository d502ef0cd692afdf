import assert from "node:assert/strict";
import { lacksUnicode, plainMarks } from "../../../src/front/console/marks.ts";

Deno.test("a locale that names another character set means marks of ASCII", () => {
  const cases: [Record<string, string>, boolean][] = [
    [{}, false],
    [{ LANG: "C" }, false],
    [{ LC_ALL: "POSIX" }, false],
    [{ LANG: "en_US" }, false],
    [{ LANG: "C.UTF-8" }, false],
    [{ LANG: "de_DE.utf8@euro" }, false],
    [{ LANG: "de_DE.ISO-8859-15@euro" }, true],
    [{ LANG: "ja_JP.eucJP" }, true],
    [{ LC_ALL: "en_US.UTF-8", LANG: "ru_RU.KOI8-R" }, false],
    [{ LC_CTYPE: "ru_RU.KOI8-R", LANG: "en_US.UTF-8" }, true],
    [{ LC_ALL: "", LANG: "zh_CN.GBK" }, true],
  ];
  for (const [env, expected] of cases) {
    assert.equal(lacksUnicode((name) => env[name]), expected, JSON.stringify(env));
  }
});

Deno.test("each mark becomes one character, foreign ones stay", () => {
  assert.equal(plainMarks("● bash über · 3 s …"), "* bash über - 3 s ~");
});
