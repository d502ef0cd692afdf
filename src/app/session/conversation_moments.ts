/** The moments of one conversation: what they belong to now, and who takes part. */
import type { RunContext } from "../../agent/run_context.ts";
import type { Mode } from "../../core/capability.ts";
import type { ChatModel } from "../../core/model.ts";
import type { HookRun } from "../../core/hook_run.ts";
import type { Moment } from "../../core/moment.ts";
import type { SessionEnd, WatchChange } from "../../core/moments.ts";
import type { Person } from "../../core/person.ts";
import type { Session } from "../../session/session.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { EventStream } from "./event_stream.ts";
import { estimateTokens } from "../../session/token_estimate.ts";
import { type SessionMoments, sessionMoments } from "./session_moments.ts";

/** What a conversation is at one moment. */
interface Place {
  readonly environment: ConversationEnvironment;
  readonly events: EventStream;
  readonly session: Session;
  readonly mode: Mode;
  readonly approvesEverything: boolean;
  readonly model: ChatModel;
  readonly person: Person | undefined;
}

export interface ConversationMoments extends Omit<SessionMoments, "end" | "takeRuns"> {
  isEmpty(): boolean;
  /** At most once a session; `program` is the signal that ends the program, where it may have come. */
  end(reason: SessionEnd["reason"], program?: AbortSignal): Promise<void>;
  /** Of a run's context; nothing where nobody takes part. */
  forRun(): Pick<RunContext, "moments" | "compaction" | "viewRequest">;
  /** What took part since the last event that said so. */
  runs(): { readonly hooks?: HookRun[] };
}

/** For extensions alone, which may change files as hooks do. */
const watchChangeLate: WatchChange = async (call) => {
  const { watchChange } = await import("../../hooks/watch_change.ts");
  return await watchChange(call);
};

/** All that take part in a session's end have so long after a signal. */
const endAfterSignalMs = 1500;

export function conversationMoments(place: () => Place): ConversationMoments {
  const participants = () => place().environment.participants?.() ?? [];
  const { clock } = place().environment.host;
  const now = () => momentOf(place());
  const moments = sessionMoments(participants, now, clock);
  let isOpen = false;
  return {
    ...moments,
    isEmpty: () => participants().length === 0,
    begin(source) {
      isOpen = true;
      if (participants().length > 0) moments.begin(source);
    },
    async begun(signal) {
      const { environment: { hooks }, events } = place();
      await events.warn(hooks?.changeNotices() ?? []);
      return await moments.begun(signal);
    },
    async end(reason, program) {
      if (!isOpen) return;
      isOpen = false;
      if (participants().length === 0) return;
      const stop = new AbortController();
      const limit = () => setTimeout(() => stop.abort(), endAfterSignalMs);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const onAbort = () => void (timer = limit());
      if (program?.aborted) onAbort();
      else program?.addEventListener("abort", onAbort, { once: true });
      try {
        await moments.end(reason, stop.signal);
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      } finally {
        program?.removeEventListener("abort", onAbort);
        clearTimeout(timer);
      }
    },
    forRun() {
      if (participants().length === 0) return {};
      const { hooks } = place().environment;
      return {
        viewRequest: (step, messages, signal) => {
          const { environment, model } = place();
          const limit = environment.config.settings["agent.context_window"] || model.contextWindow;
          const tokens = () => estimateTokens(messages);
          return moments.request({ step, messages, tokens, limit }, signal);
        },
        moments: {
          participants,
          now,
          watchChange: hooks?.watchChange ?? watchChangeLate,
        },
        compaction: {
          before: moments.beforeCompaction,
          async after(done, signal) {
            await moments.afterCompaction(done, signal);
            moments.begin("compact");
          },
        },
      };
    },
    runs() {
      const hooks = moments.takeRuns();
      return hooks.length === 0 ? {} : { hooks };
    },
  };
}

function momentOf(
  { environment, events, session, mode, approvesEverything, model, person }: Place,
): Moment {
  const { run_id: runId, turn_id: turnId } = events.ids;
  const isAsked = person?.askPermission !== undefined;
  const headless = environment.config.settings["permissions.headless"];
  return {
    sessionId: session.id,
    ...session.path === undefined ? {} : { transcript: session.path },
    mode,
    questions: approvesEverything
      ? "allowed"
      : isAsked
      ? "asked"
      : headless === "deny"
      ? "denied"
      : "allowed",
    model: model.model,
    ...runId === undefined ? {} : { runId },
    ...turnId === undefined ? {} : { turnId },
  };
}
