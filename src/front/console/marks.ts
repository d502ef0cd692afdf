/** The marks of the console's own lines, for terminals that show no more than ASCII. */

const plain: Record<string, string> = {
  "·": "-",
  "…": "~",
  "●": "*",
  "✓": "+",
  "✗": "x",
  "⏎": "|",
};

/** True where the locale names another character set than UTF-8; `C`, or none, says nothing of terminals. */
export function lacksUnicode(get: (name: string) => string | undefined): boolean {
  const locale = get("LC_ALL") || get("LC_CTYPE") || get("LANG") || "";
  const [, charset] = /\.([^@]+)/.exec(locale) ?? [];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
}

/** `text` with each mark as one character of ASCII; foreign characters stay as they are. */
export function plainMarks(text: string): string {
  return text.replace(/[·…●✓✗⏎]/g, (mark) => plain[mark]!);
}
