/** Joins bytes that came in pieces. */

/** The pieces one after the other; a single piece is given as it is, not copied. */
export function joinBytes(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>;
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array;
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : joinBytesIn(undefined, pieces);
}

/** The same at the start of `room`, or in new memory with a quarter to spare where that is too small. */
export function joinBytesIn(
  room: ArrayBuffer | undefined,
  pieces: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = room !== undefined && room.byteLength >= length
    ? new Uint8Array(room, 0, length)
    : new Uint8Array(
      new ArrayBuffer(room === undefined ? length : Math.ceil(length * 1.25)),
      0,
      length,
    );
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
