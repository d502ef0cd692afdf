/** What kind of Markdown line begins, seen from its first characters. */
import { textWidth } from "../../lib/text_width.ts";

export type LineKind =
  /** Words that may be broken into lines; `start` is written first, later lines begin under its end. */
  | { readonly kind: "words"; readonly start: string; readonly heading: boolean }
  /** Code, a table: as it is. */
  | { readonly kind: "raw"; readonly inTable?: boolean }
  /** The first or last line of a block of code. */
  | { readonly kind: "fence"; readonly opens: Fence | undefined };

export interface Fence {
  readonly mark: string;
  readonly length: number;
}

/**
 * The kind of the line that begins with `text`; undefined where that cannot be told yet. `whole`: the
 * line ends there. `fence` is that of the block of code that it is in.
 */
export function lineKind(
  text: string,
  whole: boolean,
  { fence, inTable }: { readonly fence: Fence | undefined; readonly inTable: boolean },
): LineKind | undefined {
  const [, indent = "", rest = ""] = /^([ \t]*)([^]*)$/.exec(text) ?? [];
  if (rest === "") return whole ? raw : undefined;
  const mark = rest[0]!;
  if (mark === "`" || mark === "~") {
    const length = /^(`+|~+)/.exec(rest)![1]!.length;
    if (length === rest.length && !whole) return undefined;
    const found = fenceKind(rest, { mark, length }, whole, fence);
    if (found !== "other") return found;
  }
  if (fence !== undefined) return raw;
  if (mark === "|" || inTable) return tableRow;
  return wordsKind(indent, rest, whole);
}

const raw: LineKind = { kind: "raw" };
/** A table ends at a blank line; rows after its ruler need no bar at their start. */
const tableRow: LineKind = { kind: "raw", inTable: true };

function fenceKind(
  rest: string,
  { mark, length }: Fence,
  whole: boolean,
  fence: Fence | undefined,
): LineKind | "other" | undefined {
  if (fence === undefined) {
    // with a further mark behind it, it is code within a line
    if (length < 3 || (mark === "`" && rest.slice(length).includes("`"))) return "other";
    return whole || rest.length > maxInfoChars
      ? { kind: "fence", opens: { mark, length } }
      : undefined;
  }
  if (mark !== fence.mark || length < fence.length || /\S/.test(rest.slice(length))) return "other";
  return whole ? { kind: "fence", opens: undefined } : undefined;
}

const maxInfoChars = 200;

function wordsKind(indent: string, rest: string, whole: boolean): LineKind | undefined {
  // a marker counts with the blank after it
  const begun = /^(?:#{1,6}|[-*+>]|\d{1,9}[.)]?)$/.test(rest);
  if (begun && !whole) return undefined;
  const [marker] = /^(?:[-*+>]|\d{1,9}[.)])[ \t]+/.exec(rest) ?? [];
  if (marker === undefined && /^(?: {0,3}\t| {4})/.test(indent)) return raw;
  if (/^[-|: ]*-[-|: ]*\|[-|: ]*$/.test(rest)) return whole ? tableRow : undefined;
  const heading = /^#{1,6}[ \t]/.test(rest);
  return { kind: "words", start: indent + (marker ?? ""), heading };
}

/** Where later lines of one that begins with `start` begin. */
export function hangingIndent(start: string, columns: number): number {
  return Math.min(textWidth(start), Math.floor(columns / 3));
}
