/** What ends the program from outside: signals, --timeout and a reader that goes, as one abort. */
import { exitStatusOfInterruption, Interruption } from "../core/interruption.ts";
import type { Host, WatchEnding, WatchPlan } from "../core/host.ts";
import { runEndTasks } from "../host/at_end.ts";
import { watchReader } from "../host/reader_watch.ts";
import { onSignals } from "../host/signals.ts";
import { longestTimerMs } from "../lib/delay.ts";
import type { Options } from "./command_line.ts";

export interface Stop {
  readonly signal: AbortSignal;
  /** Stops listening; the program can end. */
  release(): void;
}

/** How long a run may take to end by itself; longer where children have a grace between TERM and KILL. */
const lastResortMs = 1400, withChildrenMs = 4000;
/** When a program is watched that has not asked a model by then. */
const watchAfterMs = 1000;
/** For a run whose children have just gone: it then ends by itself, with its own last records. */
const ownEndMs = 300;
/** For last words into a pipe that nobody reads. */
const lastWordsMs = 300;

/**
 * Aborts on the first signal that asks for the end, after the time limit, and when nobody reads stdout
 * any more. After a second signal, or where a run does not end in time, the program ends at once: its
 * children, then `reportFailure`, then `exit`. Where it is too busy even for that, its watchdog ends it.
 */
export function listenForStop(
  host: Host,
  { timeout: timeoutSeconds, mode }: Pick<Options, "timeout" | "mode">,
  reportFailure: (interruption: Interruption) => Promise<unknown>,
  exit: (status: number) => void,
): Stop {
  const controller = new AbortController();
  const limit = timeoutSeconds === undefined
    ? undefined
    : new Interruption("timeout", `stopped after ${timeoutSeconds} s (--timeout)`);
  const limitMs = Math.min(Math.ceil((timeoutSeconds ?? 0) * 1000), longestTimerMs);
  host.watchdog.plan({
    platform: host.platform,
    ...(limit === undefined ? {} : { deadline: host.clock.now() + limitMs }),
    lastWords: mode === undefined ? "none" : mode === "result" ? "result" : "records",
    endings: endings(limit),
  });
  host.watchdog.start(watchAfterMs);
  const timers: ReturnType<typeof setTimeout>[] = [];
  let ending = false;
  const endNow = async (interruption: Interruption) => {
    if (ending) return;
    ending = true;
    await host.processes.endAll();
    await host.clock.delay(ownEndMs);
    await Promise.race([reportFailure(interruption), host.clock.delay(lastWordsMs)]);
    await Promise.race([runEndTasks(), host.clock.delay(lastWordsMs)]);
    exit(exitStatusOfInterruption(interruption.source));
  };
  const abort = (interruption: Interruption) => {
    if (controller.signal.aborted) {
      if (!["timeout", "reader"].includes(interruption.source)) void endNow(interruption);
      return;
    }
    host.watchdog.endsByItself();
    controller.abort(interruption);
    const end = () => void endNow(interruption);
    timers.push(
      setTimeout(() => host.processes.running > 0 || end(), lastResortMs),
      setTimeout(end, withChildrenMs),
    );
  };
  const stopListening = onSignals((signal) => abort(new Interruption(signal)));
  const stopWatching = watchReader(() => abort(new Interruption("reader")));
  if (limit !== undefined) timers.push(setTimeout(() => abort(limit), limitMs));
  return {
    signal: controller.signal,
    release() {
      stopListening();
      stopWatching();
      for (const timer of timers) clearTimeout(timer);
      host.watchdog.release();
    },
  };
}

/** What the watchdog says for each, and the status that it ends the program with. */
function endings(limit: Interruption | undefined): WatchPlan["endings"] {
  const ending = (interruption: Interruption): WatchEnding => ({
    message: interruption.message,
    code: interruption.source === "timeout" ? "limit" : "interrupted",
    status: exitStatusOfInterruption(interruption.source),
  });
  return {
    SIGINT: ending(new Interruption("SIGINT")),
    SIGTERM: ending(new Interruption("SIGTERM")),
    SIGHUP: ending(new Interruption("SIGHUP")),
    timeout: ending(limit ?? new Interruption("timeout")),
  };
}
