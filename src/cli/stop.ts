/** What ends the program from outside: signals, --timeout and a reader that goes, as one abort. */
import { exitStatusOfInterruption, Interruption } from "../core/interruption.ts";
import type { Host } from "../core/host.ts";
import { watchReader } from "../host/reader_watch.ts";
import { onSignals } from "../host/signals.ts";
import { longestTimerMs } from "../lib/delay.ts";

export interface Stop {
  readonly signal: AbortSignal;
  /** Stops listening; the program can end. */
  release(): void;
}

/** Longer than a child's grace between TERM and KILL. */
const lastResortMs = 4000;
/** For a run whose children have just gone: it then ends by itself, with its own last records. */
const ownEndMs = 300;
/** For last words into a pipe that nobody reads. */
const lastWordsMs = 500;

/**
 * Aborts on the first signal that asks for the end, after `timeoutSeconds`, and when nobody reads
 * stdout any more. After a second signal, or where a run does not end in time, the program ends at
 * once: its children, then `reportFailure`, then `exit`.
 */
export function listenForStop(
  host: Host,
  timeoutSeconds: number | undefined,
  reportFailure: (interruption: Interruption) => Promise<unknown>,
  exit: (status: number) => void,
): Stop {
  const controller = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  let ending = false;
  const endNow = async (interruption: Interruption) => {
    if (ending) return;
    ending = true;
    await host.processes.endAll();
    await host.clock.delay(ownEndMs);
    await Promise.race([reportFailure(interruption), host.clock.delay(lastWordsMs)]);
    exit(exitStatusOfInterruption(interruption.source));
  };
  const abort = (interruption: Interruption) => {
    if (controller.signal.aborted) {
      if (!["timeout", "reader"].includes(interruption.source)) void endNow(interruption);
      return;
    }
    controller.abort(interruption);
    timers.push(setTimeout(() => void endNow(interruption), lastResortMs));
  };
  const stopListening = onSignals((signal) => abort(new Interruption(signal)));
  const stopWatching = watchReader(() => abort(new Interruption("reader")));
  if (timeoutSeconds !== undefined) {
    const sentence = `stopped after ${timeoutSeconds} s (--timeout)`;
    timers.push(setTimeout(
      () => abort(new Interruption("timeout", sentence)),
      Math.min(Math.ceil(timeoutSeconds * 1000), longestTimerMs),
    ));
  }
  return {
    signal: controller.signal,
    release() {
      stopListening();
      stopWatching();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
