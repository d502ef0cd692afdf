/** Whether a server's list of models has a name, or one that it stands for. */

/** What may follow a name that servers take for the newest of several: a date, a number, a tag. */
const versions = /^(?:-\d{3}|-\d{4}|-\d{6}|-\d{8}|-\d{4}-\d{2}-\d{2}|@\d{8}|[:@]latest)$/;

/**
 * `id` as it is, an alias of a listed one (`m`, `m-latest` for `m-20250929`), a variant (`m:free`), or
 * what a gateway lists by a wildcard (`vendor/*`).
 */
export function isOffered(id: string, listed: readonly string[]): boolean {
  const name = id.replace(/^models\//, "");
  const variant = /^(.+):[^:/]+$/.exec(name)?.[1];
  const stem = name.replace(/-latest$/, "");
  return listed.some((other) =>
    other === name || other === variant || other.includes("*") && fits(name, other) ||
    other.startsWith(stem) && versions.test(other.slice(stem.length))
  );
}

function fits(name: string, wildcard: string): boolean {
  const [start = "", ...rest] = wildcard.split("*");
  if (!name.startsWith(start)) return false;
  let at = start.length;
  const end = rest.pop() ?? "";
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - end.length >= at && name.endsWith(end);
}
