/**
 * What a glob means for a whole path. `*`, `?` and sets stay within a segment and match a
 * leading dot too; `**` as a whole segment stands for any number of segments, also none.
 */
import { expandBraces } from "./braces.ts";
import { parseSegment, type SegmentGlob } from "./segment.ts";

export interface Glob {
  /** What a test may cost for each character of a path, in steps. */
  readonly weight: number;
  /** `path` has `/` between its segments, none at the start or the end. */
  test(path: string): boolean;
  /** Each alternative of the braces, segment by segment; null is `**`. */
  readonly alternatives: readonly (readonly (SegmentGlob | null)[])[];
}

/** Reads a glob; undefined where its braces stand for too many. `.` segments do not count. */
export function parseGlob(pattern: string): Glob | undefined {
  const expanded = expandBraces(pattern);
  if (!expanded) return undefined;
  const alternatives = [...new Set(expanded)].map(parseSegments);
  const tests = alternatives.map(testOf);
  const [only] = tests;
  return {
    alternatives,
    weight: alternatives.reduce((sum, segments) => sum + weightOf(segments), 0),
    test: tests.length === 1 ? only! : (path) => tests.some((test) => test(path)),
  };
}

/** One glob whose braces are ordinary characters, as ignore files have it. */
export interface PlainGlob extends Pick<Glob, "weight" | "test"> {
  /** Matches the name of every path that the glob matches; undefined where that may be any. */
  readonly last: SegmentGlob | undefined;
}

export function parseGlobSegments(source: string): PlainGlob {
  const segments = parseSegments(source);
  const last = segments.at(-1) ?? undefined;
  return { weight: weightOf(segments), test: testOf(segments), last };
}

function weightOf(segments: readonly (SegmentGlob | null)[]): number {
  return segments.reduce((sum, segment) => sum + (segment?.weight ?? 1), 0);
}

function parseSegments(source: string): (SegmentGlob | null)[] {
  const segments: (SegmentGlob | null)[] = [];
  for (const text of splitSegments(source)) {
    if (text === "." || text === "") continue;
    if (text !== "**") segments.push(parseSegment(text));
    else if (segments.length === 0 || segments.at(-1) !== null) segments.push(null);
  }
  return segments;
}

/** Splits at `/`, which no set and no escape can hold. */
function splitSegments(source: string): string[] {
  return source.replace(/\\\//g, "/").split("/");
}

function testOf(segments: readonly (SegmentGlob | null)[]): (path: string) => boolean {
  const [first, second] = segments;
  if (segments.length === 1 && first) {
    return (path) => !path.includes("/") && first.test(path);
  }
  if (segments.length === 2 && first === null && second) {
    return (path) => second.test(path.slice(path.lastIndexOf("/") + 1));
  }
  return (path) => matchSegments(segments, path.split("/"));
}

/** The same way as within a segment: only the last `**` ever needs to give way. */
function matchSegments(
  segments: readonly (SegmentGlob | null)[],
  names: readonly string[],
): boolean {
  let s = 0, n = 0, starSegment = -1, starName = 0;
  while (n < names.length) {
    const segment = segments[s];
    if (segment === null) {
      starSegment = s++;
      starName = n;
    } else if (segment !== undefined && segment.test(names[n]!)) {
      s++;
      n++;
    } else if (starSegment >= 0) {
      s = starSegment + 1;
      n = ++starName;
    } else return false;
  }
  // A final `**` needs something below: `a/**` is what is inside `a`, not `a` itself.
  if (segments[s] === null && s === segments.length - 1) return s === 0;
  return s === segments.length;
}
