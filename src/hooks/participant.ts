/** Makes of one hook who takes part in a conversation's moments. */
import type { JsonObject } from "../core/json.ts";
import type { Moment } from "../core/moment.ts";
import type { Participant, PendingCall } from "../core/moments.ts";
import { askHook, askLater, type HookContext } from "./ask_hook.ts";
import type { HookAnswer } from "./answer.ts";
import { askAfter, askBefore, callStdin, resultEvent, resultStdin } from "./call_events.ts";
import { forModel } from "./clean_text.ts";
import type { Hook } from "./hook.ts";
import { conditionOf, matches, matchesTool } from "./matcher.ts";
import { blockReason, contextOf, stopReason } from "./said.ts";
import { commonFields } from "./stdin.ts";
import { type ToolForm, toolForm } from "./tool_forms.ts";
import { shownName } from "./tool_names.ts";

export function hookParticipant(hook: Hook, context: HookContext): Participant {
  const { event, matcher, name } = hook;
  const meets = conditionOf(hook, context.workspace);
  const later: string[] = [];
  const shown = `hook ${name}`;

  function formFor({ tool, arguments: given }: PendingCall): ToolForm | undefined {
    if (!matchesTool(matcher, tool)) return undefined;
    // arguments that do not fit never run: the tool says what is wrong with them
    if (tool.name === "edit" && tool.origin.kind === "built-in" && "problem" in given) {
      return undefined;
    }
    const form = toolForm(tool, given, context.workspace);
    return meets(shownName(tool), form.paths) ? form : undefined;
  }

  function stdinOf(moment: Moment, fields: JsonObject, own?: JsonObject): JsonObject {
    return { ...commonFields(moment, event, context, own), ...fields };
  }

  /** Starts it without waiting for it; what it tells the model is kept for the next message. */
  function runLater(stdin: JsonObject): undefined {
    askLater(hook, stdin, context, (answer) => {
      if (answer.kind === "failed") return;
      const text = contextOf(
        hook,
        answer,
        event === "SessionStart" || event === "UserPromptSubmit",
      );
      if (text !== "" && later.length < maxLater) later.push(text);
    });
  }

  const ask = (stdin: JsonObject, signal: AbortSignal) => askHook(hook, stdin, context, signal);
  const failure = (problem: string) => `the guard ${name} failed: ${problem}`;
  const base: Participant = {
    name: shown,
    scope: hook.scope,
    isGuard: hook.isRequired,
    ...hook.isAsync ? { takeContexts: () => later.splice(0) } : {},
  };

  /** For events whose answer decides nothing. */
  async function note(stdin: JsonObject, signal: AbortSignal) {
    const answer = await ask(stdin, signal);
    return { event, ...answer.kind === "failed" ? { failed: true } : {} };
  }

  switch (event) {
    case "PreToolUse":
      return {
        ...base,
        beforeCall(call, signal) {
          const form = formFor(call);
          if (form === undefined) return undefined;
          if (hook.isAsync) return runLater(callStdin(call, form, context));
          return askBefore(hook, call, form, context, signal);
        },
      };
    case "PostToolUse":
    case "PostToolUseFailure":
      return {
        ...base,
        withholdsOutput: (call) => hook.isRequired && formFor(call) !== undefined,
        afterCall(call, signal) {
          if (resultEvent(call) !== event) return undefined;
          const form = formFor(call);
          if (form === undefined) return undefined;
          if (hook.isAsync) return runLater(resultStdin(call, form, context));
          return askAfter(hook, call, form, context, signal);
        },
      };
    case "Notification":
      return {
        ...base,
        onQuestion({ question, ...moment }) {
          if (!matches(matcher, "permission_prompt")) return;
          runLater(stdinOf(moment, {
            notification_type: "permission_prompt",
            message: `nimlet needs your permission to use ${question.tool}`,
          }));
        },
      };
    case "UserPromptSubmit":
      return {
        ...base,
        onPrompt({ text, message, mentions, source, ...moment }, signal) {
          const own = { source, message, mentions: [...mentions] };
          const stdin = stdinOf(moment, { prompt: text }, own);
          if (hook.isAsync) return runLater(stdin);
          return ask(stdin, signal).then((answer) => {
            if (answer.kind === "failed") {
              const block = hook.isRequired ? { block: failure(answer.problem) } : {};
              return { event, failed: true, ...block };
            }
            const reason = blockReason(answer);
            const block = reason === undefined ? stopReason(hook, answer) : `${shown}: ${reason}`;
            const told = contextOf(hook, answer, true);
            return {
              event,
              ...block === undefined ? {} : { block },
              ...told === "" ? {} : { context: told },
            };
          });
        },
      };
    case "Stop":
      return {
        ...base,
        atEnd({ text, continued, ...moment }, signal) {
          const stdin = stdinOf(moment, {
            stop_hook_active: continued > 0,
            last_assistant_message: text,
          });
          if (hook.isAsync) return runLater(stdin);
          return ask(stdin, signal).then((answer) => {
            if (answer.kind === "failed") return { event, failed: true };
            if (answer.said.continue === false) return { event, stop: true };
            const reason = blockReason(answer);
            return { event, ...reason === undefined ? {} : { goOn: forModel(shown, reason) } };
          });
        },
      };
    case "StopFailure":
      return {
        ...base,
        afterFailure({ code, message, text, status: _, ...moment }, signal) {
          if (!matches(matcher, code)) return undefined;
          const stdin = stdinOf(moment, {
            error: code,
            error_details: message,
            last_assistant_message: text,
          });
          return hook.isAsync ? runLater(stdin) : note(stdin, signal);
        },
      };
    case "SessionStart":
      return {
        ...base,
        onSessionStart({ source, ...moment }, signal) {
          if (!matches(matcher, source)) return undefined;
          const stdin = stdinOf(moment, { source, model: moment.model });
          if (hook.isAsync) return runLater(stdin);
          return ask(stdin, signal).then((answer) => sessionAnswer(answer));
        },
      };
    case "SessionEnd":
      return {
        ...base,
        onSessionEnd({ reason, ...moment }, signal) {
          return matches(matcher, reason) ? note(stdinOf(moment, { reason }), signal) : undefined;
        },
      };
    case "PreCompact":
      return {
        ...base,
        beforeCompaction({ trigger, instruction, ...moment }, signal) {
          if (!matches(matcher, trigger)) return undefined;
          const stdin = stdinOf(moment, { trigger, custom_instructions: instruction });
          if (hook.isAsync) return runLater(stdin);
          return ask(stdin, signal).then((answer) => {
            if (answer.kind === "failed") return { event, failed: true };
            const reason = blockReason(answer);
            return { event, ...reason === undefined ? {} : { deny: `${shown}: ${reason}` } };
          });
        },
      };
    case "PostCompact":
      return {
        ...base,
        afterCompaction({ trigger, summary, ...moment }, signal) {
          if (!matches(matcher, trigger)) return undefined;
          const stdin = stdinOf(moment, { trigger, compact_summary: summary });
          return hook.isAsync ? runLater(stdin) : note(stdin, signal);
        },
      };
  }

  function sessionAnswer(answer: HookAnswer) {
    if (answer.kind === "failed") {
      return {
        event,
        failed: true,
        ...hook.isRequired ? { refuse: failure(answer.problem) } : {},
      };
    }
    const reason = blockReason(answer);
    if (reason !== undefined) {
      if (hook.isRequired) return { event, refuse: `the guard ${name}: ${reason}` };
      context.tell("warning", `${shown}: ${reason}`);
    }
    const told = contextOf(hook, answer, true);
    return { event, ...told === "" ? {} : { context: told } };
  }
}

const maxLater = 100;
