/** Making room in a running conversation: when, with which model, and what is said of it. */
import { modelStream } from "../../agent/model_stream.ts";
import type { CompactionAdvice, Compactor, RunContext } from "../../agent/run_context.ts";
import { withRetries } from "../../agent/retry.ts";
import { CostReached } from "../../agent/spending.ts";
import type { Settings } from "../../config/settings.ts";
import type { ShortenedHistory } from "../../core/conversation.ts";
import { messageOf, RunFailure } from "../../core/failure.ts";
import type { AgentEvent } from "../../core/event.ts";
import { ModelError } from "../../core/model.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import type { Compaction, CompactionBudget, CompactOptions } from "../../session/compaction.ts";
import { estimateTokens } from "../../session/token_estimate.ts";
import { fitsAnyRequest, isSendable, maxSendBytes } from "../../session/sendable.ts";

export interface PersonalCompactor extends Compactor {
  /** Shortens now, whatever the size; undefined where there is nothing older to shorten. */
  now(
    context: RunContext,
    signal: AbortSignal,
    instruction?: string,
  ): Promise<ShortenedHistory | undefined>;
}

export function createCompactor(settings: Settings): PersonalCompactor {
  const enabled = settings["agent.compaction_enabled"];
  const maxOutputTokens = settings["agent.max_tokens"];
  const budgetOf = ({ model }: RunContext): CompactionBudget => ({
    contextWindow: settings["agent.context_window"] || model.contextWindow,
    reserveTokens: settings["agent.reserve_tokens"],
    keepRecentTokens: settings["agent.keep_recent_tokens"],
  });

  async function summarise(
    context: RunContext,
    signal: AbortSignal,
    costs: SummaryCosts,
    more: Pick<CompactOptions, "instruction" | "onPart"> = {},
  ) {
    const { compact } = await import("../../session/compaction.ts");
    const counted = { ...context, spending: costs.spending };
    return await compact(
      context.history.messages,
      (request) => askForSummary(request, maxOutputTokens, counted, signal),
      {
        budget: budgetOf(context),
        onParts: async (parts, tokens) => await context.emit(inParts(parts, tokens)),
        ...more,
      },
    );
  }

  /** What participants make of it. */
  async function advised(
    context: RunContext,
    signal: AbortSignal,
    trigger: "manual" | "auto",
    instruction = "",
  ): Promise<CompactionAdvice & { readonly done?: Compaction }> {
    if (context.compaction === undefined) return {};
    const { messages } = context.history;
    const { planCompaction } = await import("../../session/compaction.ts");
    const plan = planCompaction(messages, budgetOf(context));
    const advice = await context.compaction.before({
      trigger,
      instruction,
      tokensBefore: plan?.tokensBefore ?? estimateTokens(messages),
      older: () => plan?.older ?? [],
    }, signal);
    const { own } = advice;
    if (own === undefined) return advice;
    const { ownCompaction } = await import("../../session/own_compaction.ts");
    const done = ownCompaction(messages, own.summary, own.firstKeptIndex);
    if (done !== undefined) return { ...advice, done };
    await context.emit(
      warning(
        `the summary of ${own.by} is ignored: first_kept_index ${own.firstKeptIndex} would part a call ` +
          "from its result, or keep nothing",
      ),
    );
    return advice;
  }

  async function shorten(
    context: RunContext,
    signal: AbortSignal,
    instruction?: string,
    trigger: "manual" | "auto" = "manual",
  ) {
    const advice = await advised(context, signal, trigger, instruction);
    if (advice.refuse !== undefined) throw new RunFailure("hook", advice.refuse);
    const costs = summaryCosts(context);
    const keep = async (done: Compaction) => {
      await context.journal.append(costs.on(done.record));
      context.history.messages = done.messages;
    };
    const onPart = async (part: Compaction, number: number) => {
      await keep(part);
      await context.emit(info(`part ${number} of the older messages is summarised`));
    };
    const wanted = { instruction: advice.instruction ?? instruction, onPart };
    const done = advice.done ?? await summarise(context, signal, costs, wanted);
    if (done !== undefined) {
      await keep(done);
      await context.emit(summarised(done));
      await context.compaction?.after(afterwards(trigger, done, advice), signal);
    }
    return done;
  }

  return {
    async ifNeeded(context, signal) {
      const budget = budgetOf(context);
      if (budget.contextWindow === 0 && fitsAnyRequest(context.history.messages)) return;
      const { needsCompaction } = await import("../../session/compaction.ts");
      if (enabled && needsCompaction(context.history.messages, budget)) {
        try {
          await shorten(context, signal, undefined, "auto");
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof CostReached) throw error;
          // The request itself may still fit: the estimate is on the careful side.
          await context.emit(
            warning(`older messages could not be summarised: ${messageOf(error)}`),
          );
        }
      }
      if (!isSendable(context.history.messages)) throw unsendable();
    },
    async afterOverflow(context, signal, askAgain) {
      if (!enabled) return undefined;
      const advice = await advised(context, signal, "auto");
      if (advice.refuse !== undefined) {
        await context.emit(warning(`older messages were not summarised: ${advice.refuse}`));
        return undefined;
      }
      const { instruction } = advice;
      const costs = summaryCosts(context);
      const done = advice.done ?? await summarise(context, signal, costs, { instruction });
      if (done === undefined) return undefined;
      const before = context.history.messages;
      context.history.messages = done.messages;
      await context.emit(summarised(done));
      try {
        const answer = await askAgain();
        await context.journal.append(costs.on(done.record));
        await context.compaction?.after(afterwards("auto", done, advice), signal);
        return answer;
      } catch (error) {
        context.history.messages = before;
        await context.emit(info("the summary did not help; the conversation is as it was"));
        throw error;
      }
    },
    now: shorten,
  };
}

/** What the requests for summaries take, for the session, too. */
interface SummaryCosts {
  readonly spending: NonNullable<RunContext["spending"]>;
  /** The record with what was taken since the one before it. */
  on(record: Compaction["record"]): Compaction["record"];
}

function summaryCosts({ spending }: RunContext): SummaryCosts {
  let usage: Usage = {};
  return {
    spending: {
      begin: () => spending?.begin(),
      add(more) {
        spending?.add(more);
        usage = addUsage(usage, more);
      },
    },
    on(record) {
      const taken = usage;
      usage = {};
      return Object.keys(taken).length === 0 ? record : { ...record, usage: taken };
    },
  };
}

function afterwards(
  trigger: "manual" | "auto",
  { record, tokensBefore, tokensAfter }: Compaction,
  { own, done: isOwn }: CompactionAdvice & { readonly done?: Compaction },
) {
  const details = isOwn === undefined || own === undefined ? {} : { details: own.details };
  return { trigger, summary: record.summary, tokensBefore, tokensAfter, ...details };
}

function info(message: string): AgentEvent {
  return { type: "diagnostic", level: "info", message };
}

function warning(message: string): AgentEvent {
  return { type: "diagnostic", level: "warning", message };
}

function inParts(parts: number, tokens: number): AgentEvent {
  return info(
    `the conversation of about ${tokens} tokens is more than one request can hold; ` +
      `its older messages are summarised in about ${parts} parts`,
  );
}

function unsendable(): ModelError {
  return new ModelError(
    "overflow",
    `the conversation has more than the ${maxSendBytes / 2 ** 20} MiB that one request can hold; ` +
      "shorten it with /compact, or begin a new session",
    { retryable: false },
  );
}

function summarised({ tokensBefore, tokensAfter }: Compaction): AgentEvent {
  return info(
    `older messages were summarised: about ${tokensBefore} tokens before, ${tokensAfter} after`,
  );
}

async function askForSummary(
  request: string,
  maxOutputTokens: number | undefined,
  context: RunContext,
  signal: AbortSignal,
): Promise<string> {
  const attempt = async () => {
    let text = "";
    const events = modelStream(
      {
        system: "You write summaries of conversations between a person and a coding agent.",
        messages: [{ role: "user", content: [{ type: "text", text: request }] }],
        tools: [],
        maxOutputTokens,
      },
      context,
      signal,
    );
    for await (const batch of events) {
      for (const event of batch) if (event.type === "text") text += event.delta;
    }
    return text;
  };
  return await withRetries(attempt, { again: "asking for the summary again" }, context, signal);
}
