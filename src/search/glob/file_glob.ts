/** The globs of grep and glob: where they start to look, and which paths they match. */
import { ToolFailure } from "../../core/failure.ts";
import { refusedPathMessage } from "../../core/workspace_path.ts";
import { withoutEnd } from "../../lib/trim.ts";
import { type Glob, parseGlob } from "./glob.ts";
import type { SegmentGlob } from "./segment.ts";
import { maxAlternatives, maxExpandedChars } from "./braces.ts";

export interface FileGlob {
  /** Leading segments without wildcards, joined: the folder to start in; `""` for none. */
  readonly start: string;
  /** The pattern stands for exactly this path. */
  readonly literal: string | undefined;
  /** Names that some segment spells out: an excluded folder of that name is entered. */
  readonly named: ReadonlySet<string>;
  /** Deepest folder, below the one it is relative to, that can hold a match. */
  readonly maxDepth: number;
  /** What a test may cost for each character of a path, in steps. */
  readonly weight: number;
  test(path: string): boolean;
  /** False for names that no path ends in which it matches: a look before the path is put together. */
  mayEndIn(name: string): boolean;
  /** Every name that it matches ends in one of them; undefined where a name may end in anything. */
  readonly endings: readonly string[] | undefined;
}

/** No path is longer. */
const maxGlobChars = 4096;

/** Throws `ToolFailure` where the glob cannot be read or leads outside. */
export function parseFileGlob(pattern: string, workspace: string): FileGlob {
  if (pattern.length > maxGlobChars) {
    throw new ToolFailure(
      "pattern",
      `glob: expected at most ${maxGlobChars} characters, found ${pattern.length}`,
    );
  }
  const source = withoutEnd(pattern.replace(/^(?:\.\/+)+/, ""), "/");
  if (pattern.startsWith("/") || /(?:^|\/)\.\.(?:\/|$)/.test(source)) {
    throw new ToolFailure("outside_workspace", refusedPathMessage(pattern, workspace));
  }
  const globs = [readGlob(source)];
  // A bracket in a real name (`app/[id]/page.tsx`) reads as a set; the name itself is meant as well.
  if (source.includes("[")) globs.push(readGlob(source.replaceAll("[", "\\[")));
  const alternatives = globs.flatMap((glob) => glob.alternatives);
  const lasts = alternatives.map((segments) => segments.at(-1) ?? undefined);
  const [last] = lasts;
  const named = alternatives.flat().flatMap((segment) => segment?.literal ?? []);
  return {
    start: commonStart(alternatives),
    literal: alternatives.length === 1 ? literalPath(alternatives[0]!) : undefined,
    named: new Set(named),
    maxDepth: Math.max(
      ...alternatives.map((segments) => segments.includes(null) ? Infinity : segments.length - 1),
    ),
    weight: globs.reduce((sum, glob) => sum + glob.weight, 0),
    test: globs.length === 1 ? globs[0]!.test : (path) => globs.some((glob) => glob.test(path)),
    mayEndIn: lasts.length === 1 && last !== undefined
      ? last.test
      : (name) => lasts.some((last) => last === undefined || last.test(name)),
    endings: endingsOf(lasts),
  };
}

/** More are not looked for in turn. */
const maxEndings = 8;

function endingsOf(lasts: readonly (SegmentGlob | undefined)[]): string[] | undefined {
  const endings = [...new Set(lasts.map((last) => last?.end ?? ""))];
  const isKnown = (ending: string) => ending !== "" && isText(ending);
  return endings.length <= maxEndings && endings.every(isKnown) ? endings : undefined;
}

/** False for what a name that is not UTF-8 may be read as, or is no text itself. */
function isText(ending: string): boolean {
  return ending.isWellFormed() && !ending.includes("\ufffd");
}

function readGlob(source: string): Glob {
  const glob = parseGlob(source);
  if (glob) return glob;
  throw new ToolFailure(
    "pattern",
    `glob: its braces stand for more than ${maxAlternatives} patterns, or for more than ` +
      `${maxExpandedChars} characters: write a simpler one`,
  );
}

type Segments = Glob["alternatives"][number];

function literalPath(segments: Segments): string | undefined {
  const names = segments.map((segment) => segment?.literal);
  return names.includes(undefined) ? undefined : names.join("/");
}

/** The folders that every alternative starts with. */
function commonStart(alternatives: readonly Segments[]): string {
  const start: string[] = [];
  for (let depth = 0;; depth++) {
    const names = new Set(
      alternatives.map((segments) =>
        depth < segments.length - 1 ? segments[depth]?.literal : undefined
      ),
    );
    const [name] = names;
    if (names.size !== 1 || name === undefined) return start.join("/");
    start.push(name);
  }
}
