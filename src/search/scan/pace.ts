/** How long a thread will take for files, by what it took for those before. */

export interface Pace {
  /** So many files were done since `startedMs` of `performance.now()`. */
  did(files: number, startedMs: number): void;
  /** In ms; 0 while nothing is known. */
  expect(files: number): number;
}

/** Without what was done first, which takes longer. */
export function createPace(): Pace {
  let ms = 0, files = 0, isFirst = true;
  return {
    did(count, startedMs) {
      if (!isFirst) {
        ms += performance.now() - startedMs;
        files += count;
      }
      isFirst = false;
    },
    expect: (count) => files === 0 ? 0 : count * ms / files,
  };
}
