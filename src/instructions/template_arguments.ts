/** Puts arguments into a template. */

/** Characters that all arguments together may add to a template. */
export const maxFilledLength = 1024 * 1024;

/**
 * `body` with `$ARGUMENTS` and `$@` replaced by all of `args` as it was written, and `$1` to `$9` by
 * its words (quotes hold words together; a missing one is empty). Where it names none of them, the
 * arguments follow after a blank line. Placeholders in arguments are not replaced. `complete` is
 * false where the arguments grew past their bound and later places were left as they stand.
 */
export function fillTemplate(body: string, args: string): { text: string; complete: boolean } {
  const words = splitWords(args);
  let left = maxFilledLength;
  let complete = true;
  let used = false;
  const text = body.replace(/\$(ARGUMENTS\b|@|[1-9](?!\d))/g, (place, what: string) => {
    used = true;
    const value = what === "@" || what === "ARGUMENTS" ? args : words[Number(what) - 1] ?? "";
    left -= value.length;
    if (left >= 0) return value;
    complete = false;
    return place;
  });
  return { text: used || args === "" ? text : `${text}\n\n${args}`, complete };
}

/** Words as a shell would separate them, but nothing is expanded and an open quote is a letter. */
function splitWords(args: string): string[] {
  const words: string[] = [];
  for (const [word] of args.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)) {
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
  }
  return words;
}
