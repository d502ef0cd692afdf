/** How processes end: in words, how often lately, and how long the next start waits. */
import type { ProcessExit } from "../core/host.ts";

/** As the end of a sentence. */
export function endOf({ exitCode, signal }: ProcessExit): string {
  return signal === undefined ? `exited with status ${exitCode}` : `was ended by ${signal}`;
}

export const maxEnds = 3;
const withinMs = 60_000;
/** By how often it has ended. */
const delaysMs = [0, 1000, 5000];

export function recentEnds(now: () => number) {
  let ends: number[] = [];
  const recent = () => ends = ends.filter((at) => at > now() - withinMs);
  return {
    /** Takes note of one; gives how many there are within a minute. */
    note: () => recent().push(now()),
    waitMs: () => recent().length === 0 ? 0 : delaysMs[Math.min(ends.length, delaysMs.length) - 1]!,
    forget: () => void (ends = []),
  };
}
