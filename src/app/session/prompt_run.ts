/** The work on one prompt: what is sent, the input that enters meanwhile, and the outcome. */
import type { RunContext } from "../../agent/run_context.ts";
import { run } from "../../agent/run.ts";
import { type PromptInput, promptOf, type RunOutcome } from "../../core/conversation.ts";
import { RunFailure } from "../../core/failure.ts";
import { type Message, textOf, type UserMessage } from "../../core/message.ts";
import { userRecord } from "../../core/message_record.ts";
import type { PromptSource } from "../../core/moments.ts";
import type { OutputSchema } from "../../core/output_schema.ts";
import { failedOutcome, outcomeOf } from "../output/outcome.ts";
import { outputSchemaRetry } from "../output/output_schema_retry.ts";
import type { Session } from "../../session/session.ts";
import type { PromptContext } from "../prompt_context.ts";
import type { Admission } from "./admission.ts";
import { continuations, type Continued, countOne } from "./continuation.ts";
import type { EventStream } from "./event_stream.ts";
import { type InputQueue, queueEvent } from "./input_queue.ts";
import type { SessionMoments } from "./session_moments.ts";
import { stepTally } from "./step_tally.ts";

export interface PromptRunParts {
  readonly context: RunContext;
  readonly events: EventStream;
  readonly queue: InputQueue;
  readonly preparePrompt: PromptContext["preparePrompt"];
  readonly session: Pick<Session, "id" | "path">;
  /** What the model cannot see of a prompt fails the run. */
  readonly strict: boolean;
  /** What the final answer must be; an answer that does not fit is retried, and fails the run in the end. */
  readonly outputSchema?: OutputSchema | undefined;
  readonly moments: Omit<SessionMoments, "end" | "takeRuns">;
  /** What was found out of the prompt before. */
  readonly admission: Admission;
  readonly source: PromptSource;
  readonly continued: Continued;
  /** Asks about input that waited. */
  admit(input: PromptInput): Promise<Admission>;
}

export interface PromptRun {
  readonly outcome: RunOutcome;
  readonly steps: number;
  readonly denials: number;
}

/** Works on `prompt` to its end. Throws only `ClosedOutput`. */
export async function runPrompt(
  prompt: PromptInput,
  parts: PromptRunParts,
  signal: AbortSignal,
): Promise<PromptRun> {
  const { context, events, queue, preparePrompt, session, strict, outputSchema, moments } = parts;
  const { host, history, journal, emit, limits, model } = context;
  const retry = outputSchema && outputSchemaRetry(outputSchema);

  const tally = stepTally(emit);
  const goOn = continuations(moments, history, parts.continued, events.warn);

  async function takeIn(
    content: UserMessage["content"],
    shown: string,
    origin?: string,
  ): Promise<UserMessage> {
    events.ids = { ...events.ids, turn_id: host.randomId(12) };
    await journal.append(userRecord(content, origin));
    await emit({
      type: "message",
      role: "user",
      content: shown,
      ...origin === undefined ? {} : { source: origin },
    });
    await moments.turn({ prompt: shown, source: origin ?? parts.source }, signal);
    return { role: "user", content, ...origin === undefined ? {} : { origin } };
  }

  async function prepare(
    input: PromptInput,
    { failure, prepared, contexts }: Admission,
  ): Promise<UserMessage["content"]> {
    if (failure !== undefined) throw failure;
    const { content, notices, unseen } = prepared ?? await preparePrompt(input);
    const all = [...unseen, ...unseenImages(content, model, "the prompt")];
    await events.warn(notices);
    if (strict && all.length > 0) {
      throw new RunFailure(
        "usage",
        `--strict: the model cannot see all of the prompt: ${all.join("; ")}`,
      );
    }
    await events.warn(all);
    const told = [...contexts, ...moments.takeContexts()];
    const parts = told.map((text) => ({ type: "text", text: `\n\n${text}` }) as const);
    return parts.length === 0 ? content : [...content, ...parts];
  }

  async function takeQueued(moment: "after_results" | "at_end"): Promise<UserMessage[]> {
    const messages: UserMessage[] = [];
    const taken = queue.take(moment);
    for (const [index, input] of taken.entries()) {
      const depth = queue.waiting.length + taken.length - index - 1;
      await emit(queueEvent("dequeue", depth, input));
      const { origin } = input;
      if (origin !== undefined) {
        // within the run the model goes on anyway
        const problem = moment === "at_end"
          ? countOne(parts.continued, origin.replace(":", " "))
          : undefined;
        if (problem !== undefined) {
          await events.warn([`${problem}, so its message is not sent`]);
          continue;
        }
        // what an extension wrote is sent as it is
        messages.push(
          await takeIn([{ type: "text", text: input.content }], input.content, origin),
        );
        continue;
      }
      const given = promptOf(input);
      const admission = await parts.admit(given);
      const { failure } = admission;
      if (failure instanceof RunFailure && failure.code === "hook") {
        await events.warn([`queued input was not sent: ${failure.message}`]);
        continue;
      }
      messages.push(await takeIn(await prepare(given, admission), input.content));
    }
    const again = messages.length > 0 || moment === "after_results"
      ? undefined
      : await retry?.askAgain(history.messages, signal);
    if (again) {
      await events.warn([again.notice]);
      messages.push(await takeIn([{ type: "text", text: again.request }], again.request));
    }
    if (messages.length === 0 && moment === "at_end") {
      const text = lastText(history.messages);
      const next = await goOn.next({ text, ...tally.sum }, signal);
      if (next !== undefined) {
        const { message, origin } = next;
        messages.push(await takeIn([{ type: "text", text: message }], message, origin));
        goOn.sent(messages[0]!);
      }
    }
    return messages;
  }

  const request: RunContext["request"] = async (tools) => {
    const asked = { ...await context.request(tools), ...strict ? { keepImages: true } : {} };
    if (retry === undefined) return asked;
    const { schema } = outputSchema!;
    return { ...asked, system: asked.system + retry.instruction, outputSchema: schema };
  };

  const afterTool: RunContext["afterTool"] = async (tool, input, output) => {
    await events.warn(unseenImages(output.images ?? [], model, `the result of ${tool.name}`));
    return await context.afterTool?.(tool, input, output) ?? output;
  };

  let outcome: RunOutcome, steps = 0, denials = 0;
  try {
    if (limits.maxCost !== undefined && !model.hasPrices) {
      throw new RunFailure(
        "usage",
        `--max-cost: the price of ${model.model} at ${model.provider} is not known, so its cost cannot be ` +
          "bounded; use --max-steps, or fetch prices with --refresh-models",
      );
    }
    history.messages.push(
      await takeIn(await prepare(prompt, parts.admission), shownPrompt(prompt), prompt.origin),
    );
    const end = await run(
      Object.freeze({ ...context, emit: tally.emit, request, takeQueued, afterTool }),
      signal,
    );
    ({ steps, denials } = end);
    outcome = outcomeOf(end, signal, limits);
    if (retry && outcome.status === "done") outcome = await retry.judge(outcome, signal);
  } catch (error) {
    outcome = failedOutcome(error, signal);
  }
  if (outcome.status === "done" || outcome.cut && outcome.text !== "") {
    const { text } = outcome;
    await emit({
      type: "message",
      role: "assistant",
      content: text,
      model: model.model,
      final: outcome.status === "done",
    });
  }
  if (outcome.status === "limit" && outcome.failure && session.path !== undefined) {
    const { failure } = outcome;
    const message = `${failure.message}; go on with: nimlet --session ${session.id}`;
    outcome = { ...outcome, failure: { ...failure, message } };
  }
  const { status, failure, text } = outcome;
  if (failure && status !== "done" && !parts.admission.failure) {
    const continued = parts.continued.count;
    await moments.afterFailure({ ...failure, status, text, continued, ...tally.sum }, signal);
  }
  if (outcome.failure) {
    await emit({ type: "error", ...outcome.failure, ...(steps > 0 ? { step: steps } : {}) });
  }
  return { outcome, steps, denials };
}

/** The visible text of the last answer. */
function lastText(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last?.role === "assistant" ? textOf(last) : "";
}

/** A sentence for the images of `place` that the model is not shown. */
function unseenImages(
  parts: readonly { readonly type: string }[],
  { model, takesImages }: RunContext["model"],
  place: string,
): string[] {
  const images = parts.filter(({ type }) => type === "image").length;
  if (images === 0 || takesImages !== false) return [];
  const count = images === 1 ? "an image" : `${images} images`;
  return [`${model} takes no images: ${count} of ${place} ${images === 1 ? "is" : "are"} left out`];
}

/** A prompt as it is recorded for people: piped text, then what was typed. */
export function shownPrompt({ piped = "", text }: PromptInput): string {
  return [piped, text].filter((part) => part !== "").join("\n\n").toWellFormed();
}
