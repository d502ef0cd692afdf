/** The moments of a conversation, beside its calls, in which hooks and extensions take part. */
import { withinRoom } from "../../core/event_texts.ts";
import type { Clock } from "../../core/host.ts";
import type { HookRun } from "../../core/hook_run.ts";
import type { Moment } from "../../core/moment.ts";
import type {
  DoneCompaction,
  PendingCompaction,
  PendingRequest,
} from "../../core/request_moments.ts";
import type {
  BegunTurn,
  FailedEnd,
  GoodEnd,
  Participant,
  PutQuestion,
  SentPrompt,
  SessionEnd,
  SessionStart,
} from "../../core/moments.ts";
import type { CompactionAdvice, RequestView } from "../../agent/run_context.ts";
import { askParticipants } from "./ask_participants.ts";

/** Without what the moment belongs to, which is the same for all. */
type Of<Kind extends Moment> = Omit<Kind, keyof Moment>;

export interface SessionMoments {
  /** A session begins: asked at once, and not waited for. */
  begin(source: SessionStart["source"]): void;
  /**
   * Resolves once all have answered to the session's beginning; gives why nothing may be sent, where a
   * guard among them did not.
   */
  begun(signal: AbortSignal): Promise<string | undefined>;
  end(reason: SessionEnd["reason"], signal: AbortSignal): Promise<void>;
  /** Why a prompt is not sent, and what the model is told with it. */
  askPrompt(
    prompt: Of<SentPrompt>,
    signal: AbortSignal,
  ): Promise<{ readonly block?: string; readonly contexts: readonly string[] }>;
  /** True where prompts are looked at before they are sent. */
  looksAtPrompts(): boolean;
  /** Texts that came meanwhile, for the next message of a person; each once. */
  takeContexts(): string[];
  question(question: PutQuestion["question"]): void;
  /** Continues a prompt that would end: see `Continuations`. */
  askAtEnd(end: Of<GoodEnd>, signal: AbortSignal): Promise<Continuation | undefined>;
  /** A message begins to be worked on. */
  turn(turn: Of<BegunTurn>, signal: AbortSignal): Promise<void>;
  /** Not ended by what has ended the run. */
  afterFailure(failure: Of<FailedEnd>, signal: AbortSignal): Promise<void>;
  request(request: Of<PendingRequest>, signal: AbortSignal): Promise<RequestView>;
  beforeCompaction(
    compaction: Of<PendingCompaction>,
    signal: AbortSignal,
  ): Promise<CompactionAdvice>;
  afterCompaction(compaction: Of<DoneCompaction>, signal: AbortSignal): Promise<void>;
  /** What took part since it was last asked. */
  takeRuns(): HookRun[];
}

export interface Continuation {
  readonly name: string;
  readonly message: string;
}

export function sessionMoments(
  participants: () => readonly Participant[],
  now: () => Moment,
  clock: Clock,
): SessionMoments {
  const runs: HookRun[] = [];
  let contexts: string[] = [];
  let starting: Promise<string | undefined> | undefined;
  let begunWith: SessionStart["source"] = "startup", wasRefused = false;
  let startEnds = new AbortController();

  async function start(source: SessionStart["source"], signal: AbortSignal) {
    const asked = await askParticipants(participants(), {
      ask: (one) => one.onSessionStart?.({ ...now(), source }, signal),
      denies: ({ refuse }) => refuse !== undefined,
      clock,
      signal,
      runs,
    });
    contexts.push(...withinRoom(asked.map(({ answer }) => answer.context ?? "")));
    return asked.at(-1)?.answer.refuse;
  }

  function begin(source: SessionStart["source"]): void {
    startEnds.abort();
    startEnds = new AbortController();
    const { signal } = startEnds;
    const before = starting;
    begunWith = source;
    wasRefused = false;
    starting = (async () => {
      await before?.catch(() => {});
      return await start(source, signal);
    })();
    // whoever waits for it is told
    starting.catch(() => {});
  }

  return {
    begin,
    async begun(signal) {
      // what refused the last prompt may be mended
      if (wasRefused) begin(begunWith);
      if (starting === undefined) return undefined;
      const stop = () => startEnds.abort(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      try {
        const refuse = await starting;
        wasRefused = refuse !== undefined;
        return refuse;
      } finally {
        signal.removeEventListener("abort", stop);
        signal.throwIfAborted();
      }
    },
    async end(reason, signal) {
      startEnds.abort();
      await starting?.catch(() => {});
      await askParticipants(participants(), {
        ask: (one) => one.onSessionEnd?.({ ...now(), reason }, signal),
        clock,
        signal,
        runs,
      });
    },
    looksAtPrompts: () => participants().some((one) => one.onPrompt !== undefined),
    async askPrompt(prompt, signal) {
      const asked = await askParticipants(participants(), {
        ask: (one) => one.onPrompt?.({ ...now(), ...prompt }, signal),
        denies: ({ block }) => block !== undefined,
        clock,
        signal,
        runs,
      });
      const block = asked.at(-1)?.answer.block;
      return {
        ...block === undefined ? {} : { block },
        contexts: withinRoom(asked.map(({ answer }) => answer.context ?? "")),
      };
    },
    takeContexts() {
      const taken = [...contexts, ...participants().flatMap((one) => one.takeContexts?.() ?? [])];
      contexts = [];
      return taken;
    },
    question(question) {
      for (const one of participants()) one.onQuestion?.({ ...now(), question });
    },
    async turn(turn, signal) {
      await askParticipants(participants(), {
        ask: (one) => one.onTurn?.({ ...now(), ...turn }, signal),
        clock,
        signal,
        runs,
      });
    },
    async askAtEnd(end, signal) {
      const asked = await askParticipants(participants(), {
        ask: (one) => one.atEnd?.({ ...now(), ...end }, signal),
        denies: ({ goOn, stop }) => goOn !== undefined || stop === true,
        clock,
        signal,
        runs,
      });
      const last = asked.at(-1);
      if (last?.answer.goOn === undefined || last.answer.stop === true) return undefined;
      return { name: last.participant.name, message: last.answer.goOn };
    },
    async afterFailure(failure, stop) {
      const signal = stop.aborted ? new AbortController().signal : stop;
      try {
        await askParticipants(participants(), {
          ask: (one) =>
            failure.status === "interrupted"
              ? one.afterInterrupt?.({ ...now(), ...failure }, signal)
              : one.afterFailure?.({ ...now(), ...failure }, signal),
          clock,
          signal,
          runs,
        });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    async request(request, signal) {
      let messages = request.messages;
      const asked = await askParticipants(participants(), {
        async ask(one) {
          const answer = await one.beforeRequest?.({ ...now(), ...request, messages }, signal);
          // the next one sees what this one made of it
          messages = answer?.messages ?? messages;
          return answer;
        },
        clock,
        signal,
        runs,
      });
      return { messages, system: asked.flatMap(({ answer }) => answer.system ?? []) };
    },
    async beforeCompaction(compaction, signal) {
      const asked = await askParticipants(participants(), {
        ask: (one) => one.beforeCompaction?.({ ...now(), ...compaction }, signal),
        denies: ({ deny }) => deny !== undefined,
        clock,
        signal,
        runs,
      });
      const advice: { -readonly [Key in keyof CompactionAdvice]: CompactionAdvice[Key] } = {};
      for (const { participant: { name: by }, answer } of asked) {
        if (answer.deny !== undefined) advice.refuse = answer.deny;
        if (answer.instruction !== undefined) advice.instruction = answer.instruction;
        if (answer.compaction !== undefined) advice.own = { ...answer.compaction, by };
      }
      return advice;
    },
    async afterCompaction(compaction, signal) {
      await askParticipants(participants(), {
        ask: (one) => one.afterCompaction?.({ ...now(), ...compaction }, signal),
        clock,
        signal,
        runs,
      });
    },
    takeRuns: () => runs.splice(0),
  };
}
