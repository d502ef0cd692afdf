/** Ends a child: TERM, then KILL; and deals with the processes it left behind. */
import type { ProcessResult } from "../../core/host.ts";
import { delay } from "../../lib/delay.ts";
import type { OutputPipe } from "./child_streams.ts";
import type { LivingProcesses } from "./linux_processes.ts";
import { type ProcessTree, type TreeScope, within } from "./process_tree.ts";
import { waitAtMost } from "./wait_at_most.ts";

/** How long an open pipe may be silent after the child's end before it counts as held open. */
const quietMs = 150;
/** How long left-over processes may go on writing after the child's end. */
const longestTailMs = 1000;
/** TERM to KILL for left-over processes. */
const leftoverGraceMs = 500;
const killedWithinMs = 1000;

/** Ends what is alive within `scope`: TERM, and KILL for what is left after `graceMs`. */
export async function endTree(tree: ProcessTree, scope: TreeScope, graceMs: number): Promise<void> {
  tree.signal("SIGTERM", scope);
  if (await gone(tree, scope, graceMs)) return;
  const deadline = performance.now() + killedWithinMs;
  do {
    // again and again: a process may have started another between the look and the signal
    tree.signal("SIGKILL", scope);
  } while (!await gone(tree, scope, 50) && performance.now() < deadline);
}

/**
 * Waits until nothing of an ended child holds its pipes or runs in its session. What stays is
 * ended; processes in sessions of their own are left running unless the whole call is `ending`.
 */
export async function settle(
  tree: ProcessTree,
  pipes: readonly OutputPipe[],
  lastDataAt: () => number,
  ending: () => Promise<void> | undefined,
): Promise<Pick<ProcessResult, "leftover" | "running" | "suspected">> {
  const left = await untilQuiet(tree, pipes, lastDataAt, ending);
  const stopped = ending();
  if (stopped !== undefined) {
    await stopped;
    await waitAtMost(quietMs, Promise.all(pipes.map((pipe) => pipe.ended)));
    const suspected = tree.suspects();
    return {
      ...stillRunning(within("all", tree.look(true))),
      ...suspected.length > 0 && { suspected },
    };
  }
  if (left.session.length === 0) return stillRunning(left.strays);
  await endTree(tree, "session", leftoverGraceMs);
  const rest = tree.look(isOpen(pipes));
  const leftover = rest.session.length === 0 ? "ended" : "survived";
  return { ...stillRunning(within("all", rest)), leftover };
}

/** What is left when nothing holds a pipe any more, or is silent, or has written long enough. */
async function untilQuiet(
  tree: ProcessTree,
  pipes: readonly OutputPipe[],
  lastDataAt: () => number,
  ending: () => Promise<void> | undefined,
): Promise<LivingProcesses> {
  const exitedAt = performance.now();
  let waitMs = 2, quietLooks = 0;
  while (true) {
    const open = pipes.filter((pipe) => pipe.open);
    const now = performance.now();
    const quiet = now - Math.max(lastDataAt(), exitedAt) >= quietMs;
    quietLooks = quiet ? quietLooks + 1 : 0;
    // twice, for after a stall of this program the timers come before the data that is waiting
    const over = quietLooks >= 2 || now - exitedAt >= longestTailMs || ending() !== undefined;
    if (open.length === 0 || over) {
      const left = tree.look(over && isOpen(pipes));
      if (left.session.length === 0 || over) return left;
    }
    await waitAtMost(waitMs, Promise.race(open.map((pipe) => pipe.ended)));
    waitMs = Math.min(waitMs * 2, 25);
  }
}

function isOpen(pipes: readonly OutputPipe[]): boolean {
  return pipes.some((pipe) => pipe.open);
}

function stillRunning(pids: readonly number[]): Pick<ProcessResult, "running"> {
  return pids.length === 0 ? {} : { running: pids };
}

/** Waits for the end of everything within `scope`; false where it does not come within `maxMs`. */
export async function gone(tree: ProcessTree, scope: TreeScope, maxMs: number): Promise<boolean> {
  const deadline = performance.now() + maxMs;
  let waitMs = 2;
  while (within(scope, tree.look(scope === "all")).length > 0) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(waitMs, leftMs));
    waitMs = Math.min(waitMs * 2, 50);
  }
  return true;
}
