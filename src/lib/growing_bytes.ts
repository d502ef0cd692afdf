/** Text that grows at its end, kept as UTF-8. */
import { textPieces } from "./text_pieces.ts";

export interface GrowingBytes {
  append(text: string): void;
  /** What there is by now; good until the next `append`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();

/** Each byte is copied a few times at most, however often something is appended. */
export function growingBytes(): GrowingBytes {
  let buffer = new Uint8Array(0), length = 0;
  return {
    append(text) {
      // in pieces, for no character of UTF-16 takes more than three bytes, but most take one
      for (const piece of textPieces(text)) {
        if (length + piece.length * 3 > buffer.length) {
          const larger = new Uint8Array(Math.max(buffer.length * 2, length + piece.length * 3));
          larger.set(buffer.subarray(0, length));
          buffer = larger;
        }
        length += encoder.encodeInto(piece, buffer.subarray(length)).written;
      }
    },
    get bytes() {
      return buffer.subarray(0, length);
    },
  };
}
