/** The marks of the console's own lines, for terminals that show no more than ASCII. */

const plain: Record<string, string> = {
  "·": "-",
  "…": "~",
  "●": "*",
  "✓": "+",
  "✗": "x",
  "⏎": "|",
};

/** True where the locale names another character set than UTF-8; a locale that is not set says nothing. */
export function lacksUnicode(get: (name: string) => string | undefined): boolean {
  const locale = get("LC_ALL") || get("LC_CTYPE") || get("LANG") || "";
  return locale !== "" && !/utf-?8/i.test(locale);
}

/** `text` with each mark as one character of ASCII; foreign characters stay as they are. */
export function plainMarks(text: string): string {
  return text.replace(/[·…●✓✗⏎]/g, (mark) => plain[mark]!);
}
