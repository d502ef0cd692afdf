/** A prompt that is the command of an extension. */
import type { PromptInput, RunOutcome } from "../../core/conversation.ts";
import type { Emit } from "../../core/event.ts";
import { messageOf, RunFailure } from "../../core/failure.ts";
import type { SlashPrompts } from "../../core/slash_prompts.ts";
import type { CommandAnswer } from "../../extensions/command.ts";
import type { ExtensionPool } from "../../extensions/pool.ts";
import { failedOutcome } from "../output/outcome.ts";
import { type Admission, asItIs } from "./admission.ts";
import type { PromptRun } from "./prompt_run.ts";

export interface CommandCall {
  readonly name: string;
  readonly args: string;
}

/** What a command wants of the program beside an answer. */
export type CommandAction = Pick<CommandAnswer, "session" | "reload">;

/** The call that a prompt is; templates and skills of the same name win. */
export async function commandIn(
  { text, origin }: PromptInput,
  pool: ExtensionPool | undefined,
  slashPrompts: SlashPrompts,
  signal: AbortSignal,
): Promise<CommandCall | undefined> {
  if (pool === undefined || origin !== undefined) return undefined;
  const [, name, args = ""] = /^\/([a-z0-9][a-z0-9_-]{0,31})(?:\s+([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  try {
    await pool.ready(signal);
  } catch {
    // whoever works on the prompt meets the same, and reports it
    return undefined;
  }
  if (!pool.commands().some((command) => command.name === name)) return undefined;
  return await slashPrompts.meaning(text) === "unknown" ? { name, args: args.trim() } : undefined;
}

export interface AnsweredCommand {
  /** Absent where the model is to be asked. */
  readonly ran?: PromptRun;
  /** For the model, as it is. */
  readonly prompt?: PromptInput;
  readonly admission?: Admission;
  readonly action?: CommandAction;
}

/** Asks the extension, and announces what it says. Throws only what `emit` throws. */
export async function answerCommand(
  { name, args }: CommandCall,
  { pool, emit, takesActions }: {
    readonly pool: ExtensionPool;
    readonly emit: Emit;
    /** Whether sessions can be changed and settings be read again. */
    readonly takesActions: boolean;
  },
  signal: AbortSignal,
): Promise<AnsweredCommand> {
  let answer: CommandAnswer;
  try {
    answer = await pool.runCommand(name, args, signal);
    const { session, reload } = answer;
    if (!takesActions && (reload === true || session && session.action !== "compact")) {
      const wanted = reload === true ? "reload" : `session ${session!.action}`;
      throw new Error(`/${name}: its ${wanted} works in the console and in RPC mode alone`);
    }
  } catch (error) {
    const failure = signal.aborted ? error : new RunFailure("hook", messageOf(error));
    const outcome = failedOutcome(failure, signal);
    if (outcome.failure) await emit({ type: "error", ...outcome.failure });
    return { ran: { outcome, steps: 0, denials: 0 } };
  }
  const { message = "", prompt, session, reload } = answer;
  const action = {
    ...session === undefined ? {} : { session },
    ...reload === undefined ? {} : { reload },
  };
  if (prompt !== undefined && prompt.trim() !== "") {
    return {
      prompt: { text: prompt },
      admission: asItIs(prompt),
      action,
    };
  }
  const text = message.toWellFormed();
  if (text !== "") {
    await emit({ type: "message", role: "assistant", content: text, final: true });
  }
  const outcome: RunOutcome = { status: "done", text, exitStatus: 0, usage: {} };
  return { ran: { outcome, steps: 0, denials: 0 }, action };
}
