/** The conversation that a front end holds: its state, and one prompt after the other. */
import type { RunContext } from "../../agent/run_context.ts";
import { offeredTools } from "../../agent/definitions.ts";
import { run } from "../../agent/run.ts";
import type { Conversation, ConversationState, PromptInput } from "../../core/conversation.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { UserMessage } from "../../core/message.ts";
import { userRecord } from "../../core/message_record.ts";
import { addUsage } from "../../core/usage.ts";
import { outputSchemaRetry } from "../output/output_schema_retry.ts";
import type { ConversationParts } from "./conversation_parts.ts";
import { createInputQueue, queueEvent } from "./input_queue.ts";
import { failedOutcome, outcomeOf } from "../output/outcome.ts";

export function createConversation(parts: ConversationParts): Conversation {
  const { host, journal, history } = parts;
  let mode = parts.mode, model = parts.model, thinking = parts.thinking;
  let name = parts.name, usage = parts.usage;
  let busy = false, runId: string | undefined, turnId: string | undefined;
  const queue = createInputQueue(parts.queueModes);

  const emit = (event: AgentEvent) =>
    parts.sink(event, {
      session_id: parts.sessionId,
      ...(runId === undefined ? {} : { run_id: runId }),
      ...(turnId === undefined ? {} : { turn_id: turnId }),
    });
  const compactor = parts.compactor;
  const keeper = parts.outputSchema && outputSchemaRetry(parts.outputSchema);

  async function takeIn(content: UserMessage["content"], shown: string): Promise<UserMessage> {
    turnId = host.randomId(12);
    await journal.append(userRecord(content));
    await emit({ type: "message", role: "user", content: shown });
    return { role: "user", content };
  }

  async function prepare(prompt: PromptInput): Promise<UserMessage["content"]> {
    const prepared = await parts.preparePrompt(prompt);
    for (const message of prepared.notices) {
      await emit({ type: "diagnostic", level: "warning", message });
    }
    return prepared.content;
  }

  async function takeQueued(moment: "after_results" | "at_end"): Promise<UserMessage[]> {
    const messages: UserMessage[] = [];
    const taken = queue.take(moment);
    for (const [index, input] of taken.entries()) {
      const depth = queue.waiting.length + taken.length - index - 1;
      await emit(queueEvent("dequeue", depth, input));
      messages.push(await takeIn(await prepare({ text: input.content }), input.content));
    }
    const again = messages.length > 0 || moment === "after_results"
      ? undefined
      : keeper?.askAgain(history.messages);
    if (again) {
      await emit({ type: "diagnostic", level: "warning", message: again.notice });
      messages.push(await takeIn([{ type: "text", text: again.request }], again.request));
    }
    return messages;
  }

  function runContext(): RunContext {
    return Object.freeze({
      host,
      model,
      history,
      tools: () => parts.tools,
      request: async (tools: readonly AnyTool[]) => ({
        system: await parts.systemPrompt(mode, tools) + (keeper?.instruction ?? ""),
        ...(parts.outputSchema ? { outputSchema: parts.outputSchema.schema } : {}),
        maxOutputTokens: parts.maxOutputTokens,
        ...(thinking === undefined ? {} : { thinking }),
      }),
      mode: () => mode,
      emit,
      journal,
      permission: parts.permission,
      takeQueued,
      workspace: parts.workspace,
      nimletHome: parts.nimletHome,
      childEnv: parts.childEnv,
      limits: parts.limits,
      ...(compactor ? { compactor } : {}),
      ...(parts.afterTool ? { afterTool: parts.afterTool } : {}),
    });
  }

  return {
    state: (): ConversationState => ({
      sessionId: parts.sessionId,
      workspace: parts.workspace,
      mode,
      provider: model.provider,
      model: model.model,
      ...(thinking === undefined ? {} : { thinking }),
      approvesEverything: parts.approvesEverything.on,
      busy,
      ...(name === undefined ? {} : { name }),
      usage,
      queued: queue.waiting,
      queueModes: queue.modes,
    }),

    async open() {
      await emit({
        type: "session_start",
        workspace: parts.workspace,
        provider: model.provider,
        model: model.model,
        mode,
        ...(parts.resumed ? { resumed: true } : {}),
      });
    },

    async close(outcome) {
      await emit({
        type: "session_end",
        success: outcome.status === "done",
        status: outcome.status,
        exit_code: outcome.exitStatus,
      });
    },

    async prompt(given, signal) {
      const prompt: PromptInput = typeof given === "string" ? { text: given } : given;
      const shown = [prompt.piped ?? "", prompt.text].filter((part) => part !== "").join("\n\n")
        .toWellFormed();
      busy = true;
      runId = host.randomId(12);
      try {
        await emit({ type: "run_start", prompt: shown });
        let outcome, steps = 0, denials = 0;
        try {
          const content = await prepare(prompt);
          history.messages.push(await takeIn(content, shown));
          const end = await run(runContext(), signal);
          ({ steps, denials } = end);
          outcome = outcomeOf(end, signal, parts.limits.maxSteps);
          if (keeper && outcome.status === "done") outcome = keeper.judge(outcome);
        } catch (error) {
          outcome = failedOutcome(error, signal);
        }
        usage = addUsage(usage, outcome.usage);
        if (outcome.status === "done") {
          await emit({
            type: "message",
            role: "assistant",
            content: outcome.text,
            model: model.model,
            final: true,
          });
        }
        if (outcome.failure) {
          await emit({ type: "error", ...outcome.failure, ...(steps > 0 ? { step: steps } : {}) });
        }
        // whoever reads that the run is over may go on at once
        busy = false;
        await emit({
          type: "run_end",
          model: model.model,
          usage: { ...outcome.usage },
          status: outcome.status,
          steps,
          denials,
        });
        return outcome;
      } finally {
        busy = false;
        runId = turnId = undefined;
      }
    },

    tools: () => offeredTools(parts.tools, mode),

    async setMode(next) {
      if (next === mode) return;
      mode = next;
      await journal.append({ kind: "selection", mode });
    },

    async setModel(id, provider = model.provider) {
      model = await parts.createModel(id, provider);
      await journal.append({ kind: "selection", provider, model: id });
    },

    async setThinking(level) {
      thinking = level;
      await journal.append({ kind: "selection", thinking: level ?? "" });
    },

    setApprovesEverything: (on) => void (parts.approvesEverything.on = on),

    async rename(given) {
      name = given;
      await journal.append({ kind: "name", name });
    },

    async compact(signal, instruction) {
      return await compactor?.now(runContext(), signal, instruction) ?? false;
    },

    async enqueue(input) {
      queue.add(input);
      await emit(queueEvent("enqueue", queue.waiting.length, input));
    },

    async dequeue() {
      const [input, ...others] = queue.take("at_end");
      if (input === undefined) return undefined;
      queue.giveBack(others);
      await emit(queueEvent("dequeue", queue.waiting.length, input));
      return input;
    },

    async clearQueue() {
      queue.clear();
      await emit({ type: "queue", action: "clear", depth: 0 });
    },

    setQueueMode: queue.setMode,
  };
}
