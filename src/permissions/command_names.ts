/** Finds what the words of a tool's command can name: paths, modules, values of options. */

export interface NamedWord {
  readonly text: string;
  /** True where a folder of that name counts with all in it, not only with what it starts with. */
  readonly whole: boolean;
  /** True for a piece of a text, whose start may have been a variable: `$PWD/x` leaves `/x`. */
  readonly isPiece: boolean;
}

/** Options and variables that name where programs load code from. */
const loads = /path|include|import|require|load|lib|^-*(?:I|M|r|cp|module)$/i;

/** Everything that `word` can name; the first is the word as it is. */
export function namesIn(word: string): NamedWord[] {
  const names: NamedWord[] = [];
  const add = (text: string, whole: boolean, isPiece = false) => {
    if (text === "" || text.includes("\0")) return;
    names.push({ text, whole, isPiece });
    // Python's and Perl's names of modules.
    const dotted = /^\w+(?:\.\w+)+$/.test(text), scoped = /^\w+(?:::\w+)+$/.test(text);
    if (dotted) names.push({ text: text.replaceAll(".", "/"), whole, isPiece });
    if (scoped) names.push({ text: text.replaceAll("::", "/"), whole, isPiece });
  };
  // Most words are a name and nothing else.
  if (/^[\w./][\w./]*$/.test(word)) {
    add(word, word.includes("/"));
    return names;
  }
  const isOption = word.startsWith("-");
  add(word, word.includes("/") && !isOption);
  if (isOption) {
    // `-Ilib`, `-r./x.js`, `-MFoo=bar`
    const [, letter, rest] = /^-([A-Za-z])([^=\s][^\s]*)$/.exec(word) ?? [];
    if (rest !== undefined) {
      add(rest, loads.test(letter!));
      if (rest.includes("=")) add(rest.slice(0, rest.indexOf("=")), loads.test(letter!));
    }
  }
  // `--require=./x.js`, `PYTHONPATH=a:b`
  const [, name, value] = /^(-*[\w.-]+)=([^]*)$/.exec(word) ?? [];
  if (value !== undefined) {
    for (const part of [value, ...value.split(/[:;,]/)]) add(part, loads.test(name!));
  }
  // A text with several words is one that a program runs: `sh -c '. ./lib.sh && build'`.
  const text = (value ?? word).replace(/\$\{?\w+\}?\/|\$\(pwd\)\/|`pwd`\//g, "./");
  for (const piece of text.split(/[\s"'`=;|&()<>{}[\]$!*?@,%#^\\]+/)) {
    if (piece !== word) add(piece, value === undefined && !isOption && piece.includes("/"), true);
    for (const part of piece.includes(":") ? piece.split(":") : []) add(part, false, true);
  }
  return names;
}
