/** What is found out of a prompt before it is sent: whether hooks and extensions let it through. */
import type { PromptInput } from "../../core/conversation.ts";
import { RunFailure } from "../../core/failure.ts";
import type { PromptSource } from "../../core/moments.ts";
import { textOf } from "../../core/message.ts";
import type { PreparedPrompt, PromptContext } from "../prompt_context.ts";
import type { SessionMoments } from "./session_moments.ts";

export interface Admission {
  /** Absent where nobody looked at it. */
  readonly prepared?: PreparedPrompt;
  /** Text for the model after the message. */
  readonly contexts: readonly string[];
  /** Why it is not sent. */
  readonly failure?: unknown;
}

/** For a prompt that nobody looks at. */
export const admitted: Admission = { contexts: [] };

/** For a text that is sent as it is. */
export function asItIs(text: string): Admission {
  const content = [{ type: "text", text: text.toWellFormed() } as const];
  return { prepared: { content, notices: [], unseen: [] }, contexts: [] };
}

interface Beginning {
  readonly moments: Pick<SessionMoments, "begun" | "looksAtPrompts" | "askPrompt">;
  /** Waits for extensions; throws for a guard that is not there. */
  readonly ready?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** For what no person wrote: only those that take part must be there. Never throws. */
export async function admitUnasked(
  { moments, ready }: Beginning,
  admission: Admission,
  signal: AbortSignal,
): Promise<Admission> {
  try {
    await ready?.(signal);
    const refuse = await moments.begun(signal);
    if (refuse !== undefined) throw new RunFailure("config", refuse);
    return admission;
  } catch (failure) {
    return { contexts: [], failure };
  }
}

/** Asks about a prompt as it will be sent. Never throws. */
export async function admitPrompt(
  prompt: PromptInput,
  { moments, preparePrompt, source, shown, ready }: Beginning & {
    readonly preparePrompt: PromptContext["preparePrompt"];
    readonly source: PromptSource;
    /** As typed. */
    readonly shown: string;
  },
  signal: AbortSignal,
): Promise<Admission> {
  const begun = await admitUnasked({ moments, ready }, admitted, signal);
  if (begun.failure !== undefined || !moments.looksAtPrompts()) return begun;
  try {
    const prepared = await preparePrompt(prompt);
    const message = textOf({ role: "user", content: prepared.content.slice(0, 1) });
    const { mentions = [] } = prepared;
    const { block, contexts } = await moments.askPrompt(
      { text: shown, message, mentions, source },
      signal,
    );
    if (block !== undefined) throw new RunFailure("hook", block);
    return { prepared, contexts };
  } catch (failure) {
    return { contexts: [], failure };
  }
}
