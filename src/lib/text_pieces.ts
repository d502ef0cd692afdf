/** Long texts in pieces: what is written piece by piece is not held a second time. */

const pieceChars = 64 * 1024;
/** From this length on a text is worth writing in pieces. */
export const longChars = 256 * 1024;

/** `text` in pieces of at most 64 Ki characters, cut only between characters. */
export function* textPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + pieceChars, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end--;
    yield text.slice(at, end);
    at = end;
  }
}

/**
 * A way to encode pieces one after the other into one buffer: the bytes are good until the next.
 * Buffers of their own would wait for the collector, all of them together as large as the text.
 */
export function pieceEncoder(): (piece: string) => Uint8Array {
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(0);
  return (piece) => {
    if (buffer.length < piece.length * 3) buffer = new Uint8Array(piece.length * 3);
    return buffer.subarray(0, encoder.encodeInto(piece, buffer).written);
  };
}
