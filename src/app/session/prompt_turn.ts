/** One prompt of a conversation: from its beginning, which is announced, to its end. */
import type { RunContext } from "../../agent/run_context.ts";
import type { PromptInput, RunOutcome } from "../../core/conversation.ts";
import { addUsage } from "../../core/usage.ts";
import { messageOf } from "../../core/failure.ts";
import { failedOutcome } from "../output/outcome.ts";
import { type Admission, admitted, asItIs } from "./admission.ts";
import type { Continued } from "./continuation.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { ConversationMoments } from "./conversation_moments.ts";
import type { ConversationParts } from "./conversation_parts.ts";
import type { currentOf } from "./current_session.ts";
import { answerCommand, type CommandAction, commandIn } from "./extension_command.ts";
import type { InputQueue } from "./input_queue.ts";
import { runPrompt, shownPrompt } from "./prompt_run.ts";
import { runEnd } from "./run_end.ts";

export interface PromptTurnParts {
  readonly parts: ConversationParts;
  readonly environment: ConversationEnvironment;
  readonly current: ReturnType<typeof currentOf>;
  readonly moments: ConversationMoments;
  readonly queue: InputQueue;
  runContext(): RunContext;
  admit(prompt: PromptInput, signal: AbortSignal): Promise<Admission>;
  /** For what no person has sent as it is. */
  admitUnasked(admission: Admission, signal: AbortSignal): Promise<Admission>;
  compact(signal: AbortSignal, instruction?: string): Promise<unknown>;
  /** How often hooks and extensions have sent the model on since a person or client did. */
  readonly continued: Continued;
  /** Called before the end is announced: whoever reads it may go on at once. */
  onOver(): void;
}

/** Throws only `ClosedOutput`. */
export async function promptTurn(
  given: PromptInput,
  turn: PromptTurnParts,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { parts, environment, current, moments, queue, runContext } = turn;
  const { events, runOptions, outputSchema, actions } = parts;
  const { emit } = events;
  const { preparePrompt, slashPrompts } = environment.promptContext;
  const pool = environment.extensions?.pool;
  const command = await commandIn(given, pool, slashPrompts, signal);
  if (given.origin === undefined) turn.continued.count = 0;
  const admission = moments.isEmpty()
    ? admitted
    : command !== undefined
    ? await turn.admitUnasked(admitted, signal)
    : given.origin !== undefined
    ? await turn.admitUnasked(asItIs(given.text), signal)
    : await turn.admit(given, signal);
  const refused = admission.failure === undefined
    ? undefined
    : failedOutcome(admission.failure, signal);
  // whoever is told that it was refused may go on at once
  if (refused && given.onAdmitted) turn.onOver();
  await given.onAdmitted?.(refused?.failure?.message);
  if (refused && given.onAdmitted) return refused;
  current.changes.begin(shownPrompt(given));
  await emit({ type: "run_start", prompt: shownPrompt(given), ...moments.runs() });
  const end = runEnd(runContext(), emit);
  const answer = command && refused === undefined &&
      await answerCommand(
        command,
        { pool: pool!, emit, takesActions: actions !== undefined },
        signal,
      ) || undefined;
  const ran = answer?.ran ?? await runPrompt(
    answer?.prompt ?? given,
    {
      context: end.context,
      events,
      queue,
      preparePrompt,
      session: current.session,
      strict: runOptions.strict,
      outputSchema,
      moments,
      admission: answer?.admission ?? admission,
      source: parts.source,
      continued: turn.continued,
      admit: (input) => turn.admit(input, signal),
    },
    signal,
  );
  current.history.usage = addUsage(current.history.usage, ran.outcome.usage);
  turn.onOver();
  await emit({ ...end.event(ran), ...moments.runs() });
  if (answer?.action) await carryOut(answer.action, turn, signal);
  return ran.outcome;
}

/** What a command wants of the program; a failure is a warning. */
async function carryOut(
  { session, reload }: CommandAction,
  { parts: { actions, events }, compact }: PromptTurnParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (session?.action === "compact") {
      await compact(signal, session.instruction);
    } else if (session !== undefined) await actions?.changeSession(session.action, session.id);
    if (reload === true) await actions?.reload();
  } catch (error) {
    await events.warn([messageOf(error)]);
  }
}
