/** How the lines of a text end. */

export interface LineEndings {
  readonly lf: number;
  readonly crlf: number;
  /** CR without a following LF. */
  readonly cr: number;
  /** Lines that end in CRLF, and lines that end in LF; the first few of each. */
  readonly crlfLines: readonly number[];
  readonly lfLines: readonly number[];
}

const namedLines = 10;

export function lineEndingsOf(bytes: Uint8Array): LineEndings {
  let lf = 0, crlf = 0, allCr = 0;
  const crlfLines: number[] = [], lfLines: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (at > 0 && bytes[at - 1] === 13) {
      crlf++;
      if (crlfLines.length <= namedLines) crlfLines.push(lf + crlf);
    } else {
      lf++;
      if (lfLines.length <= namedLines) lfLines.push(lf + crlf);
    }
  }
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) allCr++;
  return { lf, crlf, cr: allCr - crlf, crlfLines, lfLines };
}

/** True where CRLF is the file's convention: every line that ends, ends in it. */
export function isAllCrlf({ lf, crlf, cr }: LineEndings): boolean {
  return crlf > 0 && lf === 0 && cr === 0;
}

/** Words for endings other than plain LF; undefined where there is nothing to say. */
export function describeEndings(endings: LineEndings): string | undefined {
  const { lf, crlf, cr } = endings;
  if (isAllCrlf(endings)) return "CRLF";
  if (crlf === 0 && cr === 0) return undefined;
  if (crlf === 0 && lf === 0) return `lone CR (${cr}); lines are counted by LF`;
  const parts = [
    crlf > 0 ? `${crlf} CRLF${whichLines(endings.crlfLines)}` : "",
    lf > 0 ? `${lf} LF${whichLines(endings.lfLines)}` : "",
    cr > 0 ? `${cr} lone CR` : "",
  ];
  return `mixed (${parts.filter((part) => part !== "").join(", ")})`;
}

function whichLines(lines: readonly number[]): string {
  if (lines.length === 0 || lines.length > namedLines) return "";
  return ` on line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}`;
}

/** LFs of `text` from index `from` up to, not including, `to`. */
export function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}
