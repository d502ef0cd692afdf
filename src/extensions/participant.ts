/** An extension as it takes part in the moments of a run: events out, answers in. */
import type { JsonObject } from "../core/json.ts";
import type {
  CallAnswer,
  FailedEnd,
  FinishedCall,
  Participant,
  PendingCall,
  ResultAnswer,
} from "../core/moments.ts";
import type { EventAsker, ParticipantOptions } from "./event_asker.ts";
import type { Extension } from "./extension_port.ts";
import { messageForm } from "./message_form.ts";
import { viewRequest } from "./view_request.ts";
import { callPayload, contextOf, reasonText, sessionPayload } from "./payloads.ts";
import type { EventName } from "./protocol.ts";

/** The extension's part in calls, turns and sessions. */
export function participantOf(
  extension: Extension,
  asker: EventAsker,
  options: ParticipantOptions,
): Participant {
  const { found } = extension;
  const { guards } = found.manifest;
  const name = guards ? found.title : `extension ${found.name}`;
  const listens = (event: EventName) =>
    extension.registration?.events?.some((one) =>
      (typeof one === "string" ? one : one.event) === event
    ) ?? false;

  /** One that never said what it guards, guards all. */
  const mute = () =>
    guards && extension.registration === undefined
      ? { failure: extension.error ?? "has not registered", meansNo: false }
      : undefined;

  async function beforeCall(call: PendingCall, signal: AbortSignal) {
    const event = "tool_call";
    const asked = mute() ?? await asker.ask(event, callPayload(call), signal, call);
    if (asked === undefined) return undefined;
    if ("failure" in asked) {
      return guards || asked.meansNo
        ? { event, failed: true, deny: `${name} ${asked.failure}` }
        : { event, failed: true };
    }
    const { allow, reason, ask, approve, arguments: changed, context } = asked.answer;
    const why = reasonText(reason);
    return {
      event,
      ...allow === false ? { deny: `${name}: ${why}` } : {},
      ...ask === true ? { ask: `${name}: ${why}` } : {},
      ...approve === true ? { allow: true } : {},
      ...changed === undefined ? {} : { arguments: changed as JsonObject },
      ...contextOf(found.name, context),
    } satisfies CallAnswer;
  }

  async function afterCall(call: FinishedCall, signal: AbortSignal) {
    const event = "tool_result";
    const payload = {
      ...callPayload(call),
      output: call.output,
      images: call.images,
      is_error: call.isError,
      duration_ms: call.durationMs,
    };
    const asked = mute() ?? await asker.ask(event, payload, signal, call);
    if (asked === undefined) return undefined;
    if ("failure" in asked) {
      return guards
        ? {
          event,
          failed: true,
          withhold: `hook_failed: ${name} ${asked.failure}, so the result is withheld`,
        }
        : { event, failed: true };
    }
    const { output, is_error: isError, context } = asked.answer;
    return {
      event,
      ...output === undefined ? {} : { output },
      ...isError === undefined ? {} : { isError },
      ...contextOf(found.name, context),
    } satisfies ResultAnswer;
  }

  const badEnd = (failure: FailedEnd): JsonObject => ({
    turn_id: failure.turnId ?? null,
    status: failure.status,
    text: failure.text,
    usage: (failure.usage ?? {}) as JsonObject,
    steps: failure.steps ?? 0,
    interrupted: failure.status === "interrupted",
    continued: failure.continued ?? 0,
  });

  return {
    name,
    scope: found.scope === "global" ? "personal" : "project",
    isGuard: guards,
    withholdsOutput: (call) =>
      guards && asker.wants("tool_result", call.mode, call.tool) !== undefined,
    beforeCall,
    afterCall,
    async atEnd(end, signal) {
      const event = "turn_end";
      if (!listens(event)) return undefined;
      const asked = await asker.ask(
        event,
        {
          turn_id: end.turnId ?? null,
          status: "done",
          text: end.text,
          usage: (end.usage ?? {}) as JsonObject,
          steps: end.steps ?? 0,
          interrupted: false,
          continued: end.continued,
        },
        signal,
        end,
      );
      if (asked === undefined) return undefined;
      if ("failure" in asked) return { event, failed: true };
      const { user_message: message } = asked.answer;
      return { event, ...message === undefined ? {} : { goOn: message.content } };
    },
    async afterFailure(failure, signal) {
      const event = "turn_end";
      if (!listens(event)) return undefined;
      const asked = await asker.ask(event, badEnd(failure), signal, failure);
      return asked === undefined ? undefined : { event, failed: "failure" in asked };
    },
    afterInterrupt(end) {
      const event = "turn_end";
      // whoever stops a run does not wait for an answer that nobody uses
      if (asker.wants(event, end.mode) === undefined) return undefined;
      extension.tell({ type: "event", event, payload: badEnd(end) });
      return undefined;
    },
    async onTurn(turn, signal) {
      const event = "turn_start";
      const asked = await asker.ask(
        event,
        {
          turn_id: turn.turnId ?? null,
          prompt: turn.prompt,
          source: turn.source,
        },
        signal,
        turn,
      );
      return asked === undefined ? undefined : { event, failed: "failure" in asked };
    },
    async onSessionStart(start, signal) {
      const event = "session_start";
      await extension.ready(signal);
      if (extension.registration === undefined) {
        options.sayLater(extension, start.source);
        return undefined;
      }
      const payload = sessionPayload(start.sessionId, start.source, options.entries(found.name));
      const asked = await asker.ask(event, payload, signal, start);
      return asked === undefined ? undefined : { event, failed: "failure" in asked };
    },
    async onSessionEnd(end, signal) {
      const event = "session_end";
      if (!listens(event) || !extension.isRunning) return undefined;
      const payload = { session_id: end.sessionId, reason: end.reason };
      const limit = options.endLimit();
      if (limit.aborted) {
        // others have used the time up: it is told at least
        if (!signal.aborted) extension.tell({ type: "event", event, payload });
        return undefined;
      }
      const asked = await asker.ask(event, payload, AbortSignal.any([signal, limit]), end)
        .catch(() => undefined);
      return asked === undefined ? undefined : { event, failed: "failure" in asked };
    },
    beforeRequest: (request, signal) => viewRequest(extension, asker, options, request, signal),
    async beforeCompaction(compaction, signal) {
      const event = "session_before_compact";
      if (!listens(event)) return undefined;
      const asked = await asker.ask(
        event,
        {
          instruction: compaction.instruction,
          tokens_before: compaction.tokensBefore ?? 0,
          entries: (compaction.older?.() ?? []).map((message) =>
            messageForm(message, () => undefined)
          ),
        },
        signal,
        compaction,
      );
      if (asked === undefined) return undefined;
      if ("failure" in asked) {
        const { failure, meansNo } = asked;
        return { event, failed: true, ...meansNo ? { deny: `${name} ${failure}` } : {} };
      }
      const { allow, reason, instruction, compaction: done } = asked.answer;
      return {
        event,
        ...allow === false ? { deny: `${name}: ${reasonText(reason)}` } : {},
        ...instruction === undefined ? {} : { instruction },
        ...done === undefined ? {} : {
          compaction: {
            summary: done.summary,
            firstKeptIndex: done.first_kept_index,
            details: (done.details ?? {}) as JsonObject,
          },
        },
      };
    },
    async afterCompaction(done, signal) {
      const event = "session_compact";
      const asked = await asker.ask(
        event,
        {
          did_compact: true,
          summary: done.summary,
          tokens_before: done.tokensBefore ?? 0,
          tokens_after: done.tokensAfter ?? 0,
          details: done.details ?? {},
        },
        signal,
        done,
      );
      return asked === undefined ? undefined : { event, failed: "failure" in asked };
    },
  };
}
