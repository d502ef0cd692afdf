/** The encoding that the first bytes of a text declare, and the text after them. */

export type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "UTF-32LE" | "UTF-32BE";

export interface Mark {
  readonly encoding: Encoding;
  /** Bytes of the mark itself. */
  readonly length: number;
}

/** The byte order mark that `bytes` start with. */
export function markOf(bytes: Uint8Array): Mark | undefined {
  // Nearly every text ends here, at its first byte.
  const first = bytes[0];
  if (first !== 0xef && first !== 0xff && first !== 0xfe && first !== 0) return undefined;
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

/** The text after a mark; what is not valid in the encoding becomes U+FFFD. */
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
