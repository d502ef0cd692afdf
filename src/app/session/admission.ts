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

/** Asks about a prompt as it will be sent. Never throws. */
export async function admitPrompt(
  prompt: PromptInput,
  { moments, preparePrompt, source, shown, ready }: {
    readonly moments: Pick<SessionMoments, "begun" | "looksAtPrompts" | "askPrompt">;
    readonly preparePrompt: PromptContext["preparePrompt"];
    readonly source: PromptSource;
    /** As typed. */
    readonly shown: string;
    /** Waits for extensions; throws for a guard that is not there. */
    readonly ready?: ((signal: AbortSignal) => Promise<void>) | undefined;
  },
  signal: AbortSignal,
): Promise<Admission> {
  try {
    await ready?.(signal);
    const refuse = await moments.begun(signal);
    if (refuse !== undefined) throw new RunFailure("config", refuse);
    if (!moments.looksAtPrompts()) return admitted;
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
