/** How text lies in a file: encoding, byte order mark, line endings, final newline. */

export type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "UTF-32LE" | "UTF-32BE";

export interface Mark {
  readonly encoding: Encoding;
  /** Bytes of the mark itself. */
  readonly length: number;
}

/** The byte order mark that `bytes` start with. */
export function markOf(bytes: Uint8Array): Mark | undefined {
  const starts = (...mark: number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (starts(0xef, 0xbb, 0xbf)) return { encoding: "UTF-8", length: 3 };
  if (starts(0xff, 0xfe, 0, 0) && bytes.length % 4 === 0) {
    return { encoding: "UTF-32LE", length: 4 };
  }
  if (starts(0, 0, 0xfe, 0xff)) return { encoding: "UTF-32BE", length: 4 };
  if (starts(0xff, 0xfe)) return { encoding: "UTF-16LE", length: 2 };
  if (starts(0xfe, 0xff)) return { encoding: "UTF-16BE", length: 2 };
  return undefined;
}

/** The text behind a mark; what is not valid in the encoding becomes U+FFFD. */
export function decodeMarked(bytes: Uint8Array, mark: Mark): string {
  const body = bytes.subarray(mark.length);
  switch (mark.encoding) {
    case "UTF-8":
    case "UTF-16LE":
    case "UTF-16BE":
      return new TextDecoder(mark.encoding, { ignoreBOM: true }).decode(body);
    case "UTF-32LE":
    case "UTF-32BE":
      return decodeUtf32(body, mark.encoding === "UTF-32LE");
  }
}

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

function decodeUtf32(body: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const pieces: string[] = [];
  let points: number[] = [];
  for (let at = 0; at < body.length; at += 4) {
    const point = at + 4 <= body.length ? view.getUint32(at, littleEndian) : 0xfffd;
    const valid = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    points.push(valid ? point : 0xfffd);
    if (points.length === 4096) {
      pieces.push(String.fromCodePoint(...points));
      points = [];
    }
  }
  return pieces.join("") + String.fromCodePoint(...points);
}
