/** What runs now in the console, so that Ctrl-C can interrupt it. */
import { Interruption } from "../../core/interruption.ts";

export interface Turns {
  readonly running: boolean;
  /** Runs `work` with a signal that `interrupt` and the end of the program abort. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts what runs; between a line and its run, what is about to. */
  interrupt(): void;
  /** Forgets an interrupt that found nothing to stop: a new line is asked for. */
  rest(): void;
}

export function createTurns(end: AbortSignal): Turns {
  let current: AbortController | undefined;
  let early: Interruption | undefined;
  return {
    get running() {
      return current !== undefined;
    },
    async run(work) {
      const mine = new AbortController();
      current = mine;
      if (early) mine.abort(early);
      early = undefined;
      try {
        return await work(AbortSignal.any([end, mine.signal]));
      } finally {
        current = undefined;
      }
    },
    interrupt() {
      const interruption = new Interruption("person");
      if (current) current.abort(interruption);
      else early = interruption;
    },
    rest: () => void (early = undefined),
  };
}
