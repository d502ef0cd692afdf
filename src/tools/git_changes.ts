/** Reads what git lists: changed files of --raw -z, untracked names of a status. */

export interface ChangedFile {
  /** Relative to the top of the repository. */
  readonly path: string;
  /** True where the new side is a submodule's commit. */
  readonly isSubmodule: boolean;
}

/** The files in what `git diff --raw -z` prints, each once; a last entry that was cut is left out. */
export function parseChanges(listing: string): ChangedFile[] {
  const fields = listing.split("\0").slice(0, -1);
  const found = new Map<string, ChangedFile>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1]!;
    const isSubmodule = /^:\d+ 160000 /.test(fields[at]!);
    found.set(path, { path, isSubmodule });
  }
  return [...found.values()];
}

/** The name in an untracked entry of `status --short`; undefined for any other line. */
export function untrackedName(line: string): string | undefined {
  if (!line.startsWith("?? ")) return undefined;
  const name = line.slice(3);
  return name.startsWith('"') && name.endsWith('"') ? unquoted(name.slice(1, -1)) : name;
}

const short: Record<string, number> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
};

/** git quotes as C does; what is no escape is UTF-8. */
function unquoted(text: string): string {
  const bytes = [...text.matchAll(/\\([0-7]{3}|.)|[^\\]+/g)].flatMap(([piece, escape]) =>
    escape === undefined
      ? [...new TextEncoder().encode(piece)]
      : escape.length === 3
      ? [parseInt(escape, 8)]
      : [short[escape] ?? escape.charCodeAt(0)]
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** True for a diff that shows commits of submodules and no file's content. */
export function showsOnlySubmodules(diff: string): boolean {
  return diff.split("\n").every((line) => submoduleLine.test(line));
}

const submoduleLine =
  /^(?:|diff --git .*|(?:new|deleted) file mode 160000|index [\da-f]+\.\.[\da-f]+(?: 160000)?|(?:---|\+\+\+) .*|@@ [-+,\d ]+ @@|[-+]Subproject commit [\da-f]{40,64}(?:-dirty)?)$/;
