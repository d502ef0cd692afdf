/**
 * The memory that one search shares with its workers: who has taken which batch, which file each
 * worker is on, and whether the search is over. Every batch is offered to all; the first takes it.
 */

/** Batches that may be offered and not yet answered at any time. */
export const boardSize = 512;
/** Threads that can take part: the main thread is 0. */
export const maxThreads = 9;

const overAt = 0;
const placesAt = 1;
const takenAt = placesAt + maxThreads * 2;
const takersAt = takenAt + boardSize;

export interface ScanBoard {
  readonly buffer: SharedArrayBuffer;
  /** True for exactly one caller a batch. A batch may only be offered while fewer than `boardSize` wait. */
  take(batch: number, thread: number): boolean;
  /** Gives a batch that was taken to another thread. */
  give(batch: number, thread: number): void;
  /** The thread that took the batch; undefined while it is free. */
  takerOf(batch: number): number | undefined;
  /** Says which file of which batch a thread is on; -1 for none. */
  enter(thread: number, batch: number, file: number): void;
  /** The place that was last entered. */
  placeOf(thread: number): { readonly batch: number; readonly file: number };
  /** No further batch is worth taking. */
  end(): void;
  isOver(): boolean;
}

export function createScanBoard(
  buffer = new SharedArrayBuffer(4 * (takersAt + boardSize)),
): ScanBoard {
  const cells = new Int32Array(buffer);
  return {
    buffer,
    take(batch, thread) {
      const cell = batch % boardSize;
      // The batch that used the cell before left its own mark there.
      const before = batch < boardSize ? 0 : batch - boardSize + 1;
      if (Atomics.compareExchange(cells, takenAt + cell, before, batch + 1) !== before) {
        return false;
      }
      Atomics.store(cells, takersAt + cell, thread);
      return true;
    },
    give: (batch, thread) => void Atomics.store(cells, takersAt + batch % boardSize, thread),
    takerOf(batch) {
      const cell = batch % boardSize;
      if (Atomics.load(cells, takenAt + cell) !== batch + 1) return undefined;
      return Atomics.load(cells, takersAt + cell);
    },
    enter(thread, batch, file) {
      Atomics.store(cells, placesAt + thread * 2, batch + 1);
      Atomics.store(cells, placesAt + thread * 2 + 1, file);
    },
    placeOf: (thread) => ({
      batch: Atomics.load(cells, placesAt + thread * 2) - 1,
      file: Atomics.load(cells, placesAt + thread * 2 + 1),
    }),
    end: () => Atomics.store(cells, overAt, 1),
    isOver: () => Atomics.load(cells, overAt) === 1,
  };
}
