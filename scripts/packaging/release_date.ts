/** The day of a release, as the change log has it. */

/** As `2026-12-31`; empty where the text has no heading for the version, or one without a date. */
export function releaseDate(changes: string, version: string): string {
  const heading = changes.split("\n").find((line) =>
    line.startsWith("## ") && line.split(/\s+/)[1] === version
  );
  return /\b\d{4}-\d\d-\d\d\b/.exec(heading ?? "")?.[0] ?? "";
}
