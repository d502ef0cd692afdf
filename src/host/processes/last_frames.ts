/** Keeps of what a carriage return overwrites in a line only the last: a progress bar is one line. */

export interface LastFrames {
  add(bytes: Uint8Array): void;
  /** Gives out what waits for more: the last frame of a line that has not ended. */
  flush(): void;
  /** Bytes that wait for more. */
  readonly waiting: number;
  /** Frames that were left out. */
  readonly overwritten: number;
}

/** A longer frame is no progress bar; what came of it is given out, and memory stays bounded. */
const longestFrame = 64 * 1024;

const LF = 10, CR = 13;

/** Hands what is left of the bytes to `sink`. CRs at the end of a line are part of its end. */
export function lastFrames(sink: (bytes: Uint8Array) => void): LastFrames {
  let frame: Uint8Array[] = [], length = 0, returns = 0, overwritten = 0;

  const forget = () => {
    frame = [];
    length = 0;
  };
  const giveOut = () => {
    for (const piece of frame) sink(piece);
    if (returns > 0) sink(new Uint8Array(returns).fill(CR));
    returns = 0;
    forget();
  };
  /** `bytes` hold neither CR nor LF. */
  const addText = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    if (returns > 0) {
      if (length > 0) overwritten++;
      returns = 0;
      forget();
    }
    frame.push(bytes.slice()); // the caller uses its buffer again
    length += bytes.length;
    if (length > longestFrame) giveOut();
  };

  return {
    add(bytes) {
      let from = 0;
      // Whole lines without a CR go through at once.
      if (!bytes.includes(CR)) {
        const lineEnd = bytes.lastIndexOf(LF) + 1;
        if (lineEnd > 0 && returns === 0) {
          giveOut();
          sink(bytes.subarray(0, lineEnd));
          from = lineEnd;
        }
      }
      for (let at = from; at < bytes.length; at++) {
        const byte = bytes[at];
        if (byte !== LF && byte !== CR) continue;
        addText(bytes.subarray(from, at));
        from = at + 1;
        if (byte === CR) returns++;
        else {
          giveOut();
          sink(bytes.subarray(at, at + 1));
        }
      }
      addText(bytes.subarray(from));
    },
    flush: giveOut,
    get waiting() {
      return length + returns;
    },
    get overwritten() {
      return overwritten;
    },
  };
}
