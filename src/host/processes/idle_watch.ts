/** Notices a child that does nothing any more: it waits for something that never comes. */
import type { ProcessTree } from "./process_tree.ts";

const lookMs = 500;

/**
 * Calls `onIdle` once no process of the tree's session has run, waited for a disk, or written anything for
 * `idleMs`. Where the system does not tell what processes do it never does. Gives what ends the watch.
 */
export function watchIdle(
  tree: ProcessTree,
  idleMs: number,
  lastDataAt: () => number,
  onIdle: () => void,
): () => void {
  let ticks = -1, busyAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now(), seen = workOf(tree.look().session);
    if (seen === undefined || seen.isBusy || seen.ticks !== ticks) busyAt = now;
    ticks = seen?.ticks ?? -1;
    if (now - Math.max(busyAt, lastDataAt()) < idleMs) return;
    clearInterval(timer);
    onIdle();
  }, Math.min(lookMs, idleMs));
  return () => clearInterval(timer);
}

/** The time that processes have run so far, and whether one does right now; undefined where untold. */
function workOf(pids: readonly number[]): { ticks: number; isBusy: boolean } | undefined {
  let ticks = 0, isBusy = false;
  for (const pid of pids) {
    const fields = statOf(pid);
    if (fields === undefined) return undefined;
    isBusy ||= fields[0] === "R" || fields[0] === "D";
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return pids.length === 0 ? undefined : { ticks, isBusy };
}

/** State first; user and system time are the twelfth and thirteenth behind the name. */
function statOf(pid: number): string[] | undefined {
  try {
    const line = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // it has ended meanwhile, or there is no /proc
  }
}
