/** The messages of a conversation while its session is read: in bounded memory, however many they are. */
import type { Message } from "../core/message.ts";
import { capMiddle } from "../lib/well_formed.ts";
import { maxSendBytes, maxSendTokens } from "./sendable.ts";
import { summaryIn, summaryMessage } from "./summary_message.ts";
import { type Size, sizeOfMessage } from "./token_estimate.ts";
import { shortened, transcribe } from "./transcript.ts";

export interface HeldMessages {
  readonly messages: Message[];
  /** Gives the message's number, for `replace`. */
  push(message: Message): number;
  /** Does nothing where the message was summarised meanwhile. */
  replace(number: number, message: Message): void;
  /** Puts a summary in the place of the first `count` messages. */
  summarise(count: number, summary: string): void;
  /** What the messages take in a request. */
  size(): Size;
}

/** More than can be sent: what is beyond it is summarised before anything is sent. */
const maxWhole: Size = { bytes: 1.25 * maxSendBytes, tokens: 1.25 * maxSendTokens };
/** For messages shortened to what a summary is made from; it is made from no more of them. */
const maxShortBytes = maxSendBytes;
const maxDigestBytes = 64 * 1024;
/** What a message takes in memory beyond its text, at least: the many short ones of a usual session stay whole. */
const messageBytes = 200;

export function heldMessages(): HeldMessages {
  const messages: Message[] = [];
  /** What each of them takes in memory, and in a request. */
  const weights: Size[] = [];
  const whole = { bytes: 0, tokens: 0 }, short = { bytes: 0, tokens: 0 };
  /** How many messages, from the first, are shortened. */
  let shortCount = 0;
  /** The number of the first message. */
  let first = 0;
  let beginsWithSummary = false;

  function shorten(): void {
    // half of it at once: each message is shortened once, and the newest ones are left whole
    while (isMore(whole, 0.5) && shortCount < messages.length - 1) {
      const weight = weigh(messages[shortCount] = shortened(messages[shortCount]!));
      add(whole, weights[shortCount]!, -1);
      add(short, weight);
      weights[shortCount++] = weight;
    }
    if (short.bytes > maxShortBytes) digest();
  }

  /** The older half of the shortened messages becomes a summary that no model has made. */
  function digest(): void {
    let end = Math.ceil(shortCount / 2);
    // a call stays with its results
    while (messages[end]?.role === "tool_result") end--;
    if (end < 2) return;
    const before = summaryIn(messages[0]);
    const lines = messages.slice(before === undefined ? 0 : 1, end).map((one) =>
      transcribe(one, digestScale)
    );
    summarise(end, capMiddle([before ?? digestOpening, ...lines].join("\n\n"), maxDigestBytes));
  }

  function summarise(count: number, summary: string): void {
    const message = summaryMessage(summary);
    const weight = weigh(message);
    messages.splice(0, count, message);
    for (const [at, gone] of weights.splice(0, count, weight).entries()) {
      add(at < shortCount ? short : whole, gone, -1);
    }
    shortCount = Math.max(0, shortCount - count) + 1;
    add(short, weight);
    first += count - 1;
    beginsWithSummary = true;
  }

  return {
    messages,
    push(message) {
      const number = first + messages.push(message) - 1, weight = weigh(message);
      weights.push(weight);
      add(whole, weight);
      if (isMore(whole)) shorten();
      return number;
    },
    replace(number, message) {
      const at = number - first;
      if (at < (beginsWithSummary ? 1 : 0)) return;
      const isShort = at < shortCount;
      const held = isShort ? shortened(message) : message;
      const weight = weigh(held), part = isShort ? short : whole;
      add(part, weight);
      add(part, weights[at]!, -1);
      messages[at] = held;
      weights[at] = weight;
    },
    summarise,
    size: () => ({
      tokens: whole.tokens + short.tokens,
      bytes: whole.bytes + short.bytes - messages.length * messageBytes,
    }),
  };
}

const digestScale = 1 / 16;
const digestOpening = "(No model has summarised these messages: what is left of them stands here.)";

function weigh(message: Message): Size {
  return sizeOfMessage(message, messageBytes);
}

/** Changes the sum itself: of a long session another one for each message would take time. */
function add(sum: { bytes: number; tokens: number }, { bytes, tokens }: Size, sign: 1 | -1 = 1) {
  sum.bytes += sign * bytes;
  sum.tokens += sign * tokens;
}

function isMore({ bytes, tokens }: Size, part = 1): boolean {
  return bytes > part * maxWhole.bytes || tokens > part * maxWhole.tokens;
}
