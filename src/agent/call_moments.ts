/** Takes the participants through one call: in order, guards last, on the final arguments. */
import { ToolFailure } from "../core/failure.ts";
import { maxEventChars, withinRoom } from "../core/event_texts.ts";
import type { Clock } from "../core/host.ts";
import { isSameJson, type JsonObject } from "../core/json.ts";
import type { HookOutcome, HookRun } from "../core/hook_run.ts";
import type { Answer, Noted } from "../core/moment.ts";
import type {
  CallAnswer,
  FinishedCall,
  Participant,
  PendingCall,
  ResultAnswer,
} from "../core/moments.ts";
import type { PermissionAdvice } from "../core/permission.ts";

/** What became of a call before the permission question. */
export interface Considered {
  readonly arguments: JsonObject;
  readonly isChanged: boolean;
  readonly advice: PermissionAdvice;
}

/** What participants have left for the rest of the call. */
export interface CallNotes {
  readonly runs: HookRun[];
  readonly contexts: string[];
  /** Characters that contexts of the same event may still have. */
  room: number;
  /** Why the run ends after this call. */
  stop?: string;
}

/**
 * Asks all about the call. `fit` parses changed arguments and judges them by the mode again.
 * Throws `ToolFailure` for a denial, and the reason of the signal.
 */
export async function askBeforeCall(
  call: PendingCall,
  participants: readonly Participant[],
  notes: CallNotes,
  { fit, clock, signal }: {
    fit(raw: JsonObject): Promise<JsonObject>;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<Considered> {
  let current = call.arguments, isChanged = false;
  const advice = { asks: [] as string[], allows: [] as string[] };

  /** True where the arguments were changed. A denial is thrown, or goes to `denials`. */
  async function ask(participant: Participant, denials?: string[]): Promise<boolean> {
    const pending = { ...call, arguments: current };
    const startMs = clock.monotonic();
    const answer = await participant.beforeCall?.(pending, signal);
    signal.throwIfAborted();
    if (answer === undefined) return false;
    notes.runs.push(runOf(participant, answer, clock.monotonic() - startMs, outcomeOf(answer)));
    keepNotes(answer, notes);
    if (answer.deny !== undefined) {
      if (denials === undefined) throw denial(answer.deny);
      denials.push(answer.deny);
      return false;
    }
    if (answer.ask !== undefined) advice.asks.push(answer.ask);
    const changed = answer.arguments;
    const fitted = changed === undefined || isSameJson(changed, current)
      ? current
      : await fitChanged(changed, participant, fit);
    const changes = !isSameJson(fitted, current);
    if (changes) {
      current = fitted;
      isChanged = true;
      // an approval is one of the arguments that it has seen
      advice.allows = [];
    }
    if (answer.allow === true && participant.scope === "personal") {
      advice.allows.push(participant.name);
    }
    return changes;
  }

  for (const participant of participants) if (!participant.isGuard) await ask(participant);
  const guards = participants.filter((participant) => participant.isGuard);
  let changes = 0;
  for (let round = 0; round < 2; round++) {
    const denials: string[] = [];
    for (const guard of guards) {
      if (!await ask(guard, denials)) continue;
      changes++;
      // What one guard has seen must be what runs: nobody may have the last word twice.
      if (round > 0) {
        throw denial(`${guard.name} changed the arguments after all guards had seen them`);
      }
    }
    if (denials.length > 0) throw denial(denials.join("; "));
    if (changes === 0) break;
  }
  const [first] = advice.asks;
  return {
    arguments: current,
    isChanged,
    advice: {
      ...first === undefined ? {} : { ask: [...new Set(advice.asks)].join("; ") },
      ...first === undefined && advice.allows.length > 0 ? { isAllowed: true } : {},
    },
  };
}

/** What the model gets of a call that ran. */
export interface LookedAt {
  readonly text: string;
  readonly isError: boolean;
  /** True where the model must not see the result, nor what came with it. */
  readonly isWithheld: boolean;
}

/** Shows the result to all. Never throws: a guard that did not finish withholds the result. */
export async function askAfterCall(
  finished: FinishedCall,
  participants: readonly Participant[],
  notes: CallNotes,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<LookedAt> {
  notes.room = maxEventChars;
  let text = finished.output, isError = finished.isError;
  const guards = participants.filter(({ isGuard }) => isGuard);
  const inOrder = [...participants.filter(({ isGuard }) => !isGuard), ...guards];
  for (const participant of inOrder) {
    const startMs = clock.monotonic();
    const seen = { ...finished, output: text, isError };
    let answer: Awaited<Answer<ResultAnswer>>;
    try {
      answer = await participant.afterCall?.(seen, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      if (!participant.isGuard) continue;
      return withheld(
        `hook_failed: ${participant.name} was interrupted, so the result is withheld`,
      );
    }
    if (answer === undefined) continue;
    const outcome = answer.output !== undefined || answer.isError !== undefined
      ? "changed"
      : "passed";
    const kind = answer.withhold === undefined ? outcome : "denied";
    notes.runs.push(runOf(participant, answer, clock.monotonic() - startMs, kind));
    keepNotes(answer, notes);
    if (answer.withhold !== undefined) return withheld(answer.withhold);
    text = answer.output ?? text;
    isError = answer.isError ?? isError;
  }
  return { text, isError, isWithheld: false };
}

function withheld(text: string): LookedAt {
  return { text, isError: true, isWithheld: true };
}

function denial(reason: string): ToolFailure {
  return new ToolFailure("approval_denied", `approval_denied: ${reason}`);
}

function outcomeOf({ deny, ask, allow, arguments: changed }: CallAnswer): HookOutcome {
  if (deny !== undefined) return "denied";
  if (ask !== undefined) return "asked";
  if (changed !== undefined) return "changed";
  return allow === true ? "allowed" : "passed";
}

function runOf(
  { name }: Participant,
  { event, failed }: Noted,
  ms: number,
  outcome: HookOutcome,
): HookRun {
  const isFailed = failed === true && outcome !== "denied";
  return { name, event, ms: Math.round(ms * 10) / 10, outcome: isFailed ? "failed" : outcome };
}

function keepNotes(
  { context, stop }: Pick<ResultAnswer, "context" | "stop">,
  notes: CallNotes,
): void {
  if (context !== undefined) {
    notes.contexts.push(...withinRoom([context], notes.room));
    notes.room -= context.length;
  }
  if (stop !== undefined) notes.stop ??= stop;
}

async function fitChanged(
  changed: JsonObject,
  { name }: Participant,
  fit: (raw: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  try {
    return await fit(changed);
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code === "interrupted") throw error;
    throw denial(`${name} changed the arguments to what cannot be run: ${error.message}`);
  }
}
