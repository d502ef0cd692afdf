/** A bound on how often a server that keeps ending is started. */
import type { Clock } from "../core/host.ts";

export const maxStarts = 3;
const withinMs = 60_000;

export interface StartLimit {
  /** False where there were too many lately; else it counts as one. */
  take(): boolean;
  /** A person has asked for it. */
  reset(): void;
}

export function startLimit(clock: Pick<Clock, "monotonic">): StartLimit {
  const starts: number[] = [];
  return {
    take() {
      const now = clock.monotonic();
      while (now - starts[0]! > withinMs) starts.shift();
      return starts.length < maxStarts && starts.push(now) > 0;
    },
    reset: () => void (starts.length = 0),
  };
}
