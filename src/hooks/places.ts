/** So many at once; others wait for their turn, in order. */

export interface Places {
  /**
   * Resolves when there is a place, with the function that gives it back; rejects with the signal's reason.
   * Undefined where too many wait.
   */
  enter(signal: AbortSignal): Promise<() => void> | undefined;
}

export function places(count: number, maxWaiting: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];
  function leaver(): () => void {
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    };
  }
  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (free > 0) {
        free--;
        return Promise.resolve(leaver());
      }
      if (waiting.length >= maxWaiting) return undefined;
      return new Promise((resolve, reject) => {
        const turn = () => {
          signal.removeEventListener("abort", give);
          resolve(leaver());
        };
        const give = () => {
          waiting.splice(waiting.indexOf(turn), 1);
          reject(signal.reason);
        };
        waiting.push(turn);
        signal.addEventListener("abort", give, { once: true });
      });
    },
  };
}
