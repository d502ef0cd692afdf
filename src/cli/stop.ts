/** Owns what ends the program from outside: signals and --timeout, as one abort. */
import { exitStatusOfInterruption, Interruption } from "../core/interruption.ts";
import type { Host } from "../core/host.ts";
import { onSignals } from "../host/signals.ts";

export interface Stop {
  readonly signal: AbortSignal;
  /** Stops listening; the program can end. */
  release(): void;
}

/** Longer than a child's grace between TERM and KILL. */
const lastResortMs = 4000;

/**
 * Aborts on the first signal that asks for the end, and after `timeoutMs`. A second SIGINT, or a run
 * that does not end in time, ends the program at once, its children first.
 */
export function listenForStop(
  host: Host,
  timeoutMs: number | undefined,
  exit: (status: number) => void,
): Stop {
  const controller = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const endNow = async (status: number) => {
    await host.processes.endAll();
    exit(status);
  };
  const abort = (interruption: Interruption) => {
    const status = exitStatusOfInterruption(interruption.source);
    if (controller.signal.aborted) {
      if (interruption.source !== "timeout") void endNow(status);
      return;
    }
    controller.abort(interruption);
    timers.push(setTimeout(() => void endNow(status), lastResortMs));
  };
  const stopListening = onSignals((signal) => abort(new Interruption(signal)));
  if (timeoutMs !== undefined) {
    const sentence = `stopped after ${timeoutMs / 1000} s (--timeout)`;
    timers.push(setTimeout(
      () => abort(new Interruption("timeout", sentence)),
      Math.min(timeoutMs, 2 ** 31 - 1),
    ));
  }
  return {
    signal: controller.signal,
    release() {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
