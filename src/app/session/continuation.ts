/** Sends the model on where a hook or extension is not content with its end: bounded. */
import type { History } from "../../agent/run_context.ts";
import type { UserMessage } from "../../core/message.ts";
import type { GoodEnd } from "../../core/moments.ts";
import type { SessionMoments } from "./session_moments.ts";

/** Of one prompt, by hooks and extensions together. */
const maxContinuations = 8;

export type GoodEndSoFar = Pick<GoodEnd, "text" | "usage" | "steps">;

/** How often hooks and extensions have sent the model on since a person or client did. */
export interface Continued {
  count: number;
}

/** Counts one more; gives the sentence's begin for what is one too many. */
export function countOne(continued: Continued, name: string): string | undefined {
  if (continued.count >= maxContinuations) {
    return `${name} wanted to go on for the ${maxContinuations + 1}th time`;
  }
  continued.count++;
  return undefined;
}

export interface NextMessage {
  readonly message: string;
  /** `hook:fmt` */
  readonly origin: string;
}

/**
 * Gives the function that is asked at each good end of one prompt. No more continuations where the
 * bound is reached, or where the same reason comes again and no call was made since.
 */
export function continuations(
  moments: Pick<SessionMoments, "askAtEnd">,
  history: History,
  continued: Continued,
  warn: (messages: readonly string[]) => Promise<void>,
) {
  let lastReason: string | undefined;
  let lastMessage: UserMessage | undefined;
  return {
    async next(end: GoodEndSoFar, signal: AbortSignal): Promise<NextMessage | undefined> {
      const wanted = await moments.askAtEnd({ ...end, continued: continued.count }, signal);
      if (wanted === undefined) return undefined;
      const { name, message } = wanted;
      const isRepeated = message === lastReason && !calledSince(history, lastMessage);
      const problem = isRepeated
        ? `${name} gave the same reason again and no call was made since`
        : countOne(continued, name);
      if (problem !== undefined) {
        await warn([`${problem}, so the run ends here`]);
        return undefined;
      }
      lastReason = message;
      return { message, origin: name.replace(/^(\w+) /, "$1:") };
    },
    /** Takes note of the message that it became. */
    sent: (message: UserMessage) => void (lastMessage = message),
  };
}

function calledSince({ messages }: History, since: UserMessage | undefined): boolean {
  const at = since === undefined ? -1 : messages.lastIndexOf(since);
  // a message that is no longer there was summarised, after much had happened
  return at < 0 || messages.slice(at).some(({ role }) => role === "tool_result");
}
