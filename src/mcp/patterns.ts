/** Patterns of names: `*` stands for any text. */

/** True where one of the patterns covers the whole name. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matches(pattern.split("*"), name));
}

/** The pieces between the stars, in order; taken as early as can be, so that it takes no time. */
function matches([first = "", ...rest]: readonly string[], name: string): boolean {
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return name.endsWith(last);
}
