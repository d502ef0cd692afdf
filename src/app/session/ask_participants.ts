/** Asks hooks and extensions one after the other, guards last. */
import type { Clock } from "../../core/host.ts";
import type { HookOutcome, HookRun } from "../../core/hook_run.ts";
import type { Answer, Noted } from "../../core/moment.ts";
import type { Participant } from "../../core/moments.ts";

export interface Asked<Kind> {
  readonly participant: Participant;
  readonly answer: Kind;
}

export interface AskOptions<Kind> {
  /** What it is asked; undefined where it has nothing to say. */
  ask(participant: Participant): Answer<Kind>;
  /** True for an answer after which nobody else is asked. */
  denies?(answer: Kind): boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes note of each that answered. */
  readonly runs: HookRun[];
}

/** The answers in order. Throws the signal's reason. */
export async function askParticipants<Kind extends Noted>(
  participants: readonly Participant[],
  { ask, denies, clock, signal, runs }: AskOptions<Kind>,
): Promise<Asked<Kind>[]> {
  const all: Asked<Kind>[] = [];
  const inOrder = [
    ...participants.filter(({ isGuard }) => !isGuard),
    ...participants.filter(({ isGuard }) => isGuard),
  ];
  for (const participant of inOrder) {
    const startMs = clock.monotonic();
    const answer = await ask(participant);
    signal.throwIfAborted();
    if (answer === undefined) continue;
    const isDenied = denies?.(answer) ?? false;
    const outcome: HookOutcome = isDenied ? "denied" : answer.failed ? "failed" : "passed";
    const ms = Math.round((clock.monotonic() - startMs) * 10) / 10;
    runs.push({ name: participant.name, event: answer.event, ms, outcome });
    all.push({ participant, answer });
    if (isDenied) break;
  }
  return all;
}
