/** The values that random calls are made of: paths, globs, patterns, revisions, scraps. */
import type { Json } from "../../src/core/json.ts";
import type { Random } from "../support/random.ts";

/** Files and folders that are there at first, then what other paths are put together from. */
const plainPaths = words(
  "a.txt src src/x.ts src/deep/er/y.txt crlf.txt bom.txt mixed.txt utf16.txt latin1.txt empty " +
    "binary.bin long.txt picture.png cut.png read-only.txt in/er/y.txt dist/x.js sub/inner.txt many " +
    "many/f7 é.txt -rf ..hello/f hard new.txt new/deep/f . ./a.txt src/../a.txt",
);
const names = [
  ...words(
    "fifo socket in out file-out lost-out loop up root zero dist src/lost missing ..hello ... * [a] {b} " +
      "--output=x :(top)x $HOME ~ ~root %HOME% .git .git/config .git/HEAD .gitignore C:\\x src\\x CON . .. " +
      "/ // ./ /etc/hostname /dev/null /proc/self/environ file:///etc e\u0301.txt trail. \u202egpj.exe",
  ),
  ...["", " lead", "trail ", "a b", 'q"uote', "new\nline", "\ufeffx", "a\0b", "\x1b[2J", "\ud800"],
  ...["x".repeat(255), "x".repeat(300), "d/".repeat(900) + "f", ...plainPaths],
];

export function somePath(random: Random): string {
  if (!random.oneIn(4)) return random.pick(random.oneIn(4) ? names : plainPaths);
  const parts = Array.from({ length: 1 + random.below(4) }, () => random.pick(names));
  return random.pick(["", "", "", "./", "../", "/", "src/../", "in/../", "out/../", "~/"]) +
    parts.join(random.pick(["/", "/", "/", "//", "/./", "/../"])) +
    random.pick(["", "", "", "/", "/."]);
}

const globParts = [
  ...words(
    "* ** ? *.txt src **/* many/* {a,b} {a, } [ [a-z] [!a] [z-a] [] \\ \\* ! !(x) @(a|b) +(a) .. . é " +
      "{1..9} {a,{b,{c,d}}} ( ~ / dist .git node_modules **/.git/** [[:alpha:]] # :x *.{txt,ts} a*",
  ),
  ...["", "\0", "\ud800", "\n", "a".repeat(500)],
  ...["{a,b}".repeat(12), "*a".repeat(30), "**/".repeat(40)],
];

export function someGlob(random: Random): string {
  if (random.oneIn(3)) return random.pick(["**/*.txt", "*", "src/**", "many/f1*", "**"]);
  const parts = Array.from({ length: 1 + random.below(3) }, () => random.pick(globParts));
  return parts.join(random.pick(["/", "/", ""]));
}

const patternParts = [
  ...words(
    "a one TODO|FIXME .* ^ $ \\b \\d+ [a-z] [^a] ( ) (?i)x [z-a] (?<n>a) (?<n \\k<n> *a a** a{2,1} " +
      "a{99999} (a+)+$ ^(a|aa|aaa)*b$ (?R) \\ \\x{110000} \\p{L} \\p{Nope} (?# \\Q[ \\K (?=a) (.*)*\\1 " +
      "(?<!ab*)c (?:a?){40}a{40} ([a-z]+)*= é \u{1f600} ((((( (?C1) (*UTF8) (*ACCEPT) \\C \\R \\X (?|a|b) " +
      "[[:alpha:]] [[:nope:]] (?1) o n e t.o",
  ),
  ...["\0", "\n", "\ud800", "x".repeat(5000)],
];

export function somePattern(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(patternParts)).join("");
}

/** Revisions, right ones and such as could be taken for something else. */
export const revisions = [
  ...words(
    "HEAD HEAD~1 HEAD^{tree} main main..HEAD HEAD...main HEAD:a.txt HEAD:../x HEAD:/etc/passwd :a.txt " +
      ":/first @ @{0} @{-1} @{yesterday} tag nope -- --output=x -O/tmp --no-index -c --exec-path=. --help " +
      "-p --all ^HEAD . HEAD^99 HEAD~99999 refs/heads/main stash@{0} HEAD^{/first} HEAD^! main@{u} é " +
      "$(id) HEAD:",
  ),
  ...["", " ", "a\0b", "HEAD\n--all", "\ud800", "0".repeat(40), "f".repeat(5000)],
];

/** Texts of a file, or of a part of one. */
export const texts = [
  ...["", "x", "one", "one\n", "two\n", "one\ntwo", "one\r\ntwo", "\r", "\r\n", "\n\n", "three"],
  ...["\ud83d", "\ude00", "\u{1f600}", "\0", "$&", "$1$$", "\\n", "\ufeff", "\u2028", "\x1b[31m"],
  ...["x".repeat(100_000), "line\n".repeat(5000), "    1\tone", "three three", "\ufffd", "é", "aa"],
];

/** Values of any type, to stand where another was expected. */
export const scraps: readonly Json[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, 1e308, -1e308, 5e-324],
  ...words('1 1.5 -1 1e3 0x10 NaN Infinity true FALSE null [] {} undefined ١٢ 1,000 1_000 [1, "x"'),
  ...["", " 3 ", "\ud800", "a\0b", "\x1b[2J", '{"a":'],
  ...([[], {}, [null], [[]], ["x"], { "": 0 }, { toString: 1 }, [1, "a", {}]] as Json[]),
];

function words(text: string): string[] {
  return text.split(" ");
}
