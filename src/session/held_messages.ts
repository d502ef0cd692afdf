/** The messages of a conversation while its session is read: in bounded memory, however many they are. */
import type { Message } from "../core/message.ts";
import { capMiddle } from "../lib/well_formed.ts";
import { maxSendBytes } from "./sendable.ts";
import { summaryIn, summaryMessage } from "./summary_message.ts";
import { sizeOfMessage } from "./token_estimate.ts";
import { shortened, transcribe } from "./transcript.ts";

export interface HeldMessages {
  readonly messages: Message[];
  /** Gives the message's number, for `replace`. */
  push(message: Message): number;
  /** Does nothing where the message was summarised meanwhile. */
  replace(number: number, message: Message): void;
  /** Puts a summary in the place of the first `count` messages. */
  summarise(count: number, summary: string): void;
}

/** More than can be sent: what is beyond it is summarised before anything is sent. */
const maxWholeBytes = 1.25 * maxSendBytes;
/** For messages shortened to what a summary is made from; it is made from no more of them. */
const maxShortBytes = 16 * 1024 * 1024;
const maxDigestBytes = 64 * 1024;
/** What a message takes in memory beyond its text, at least: the many short ones of a usual session stay whole. */
const messageBytes = 200;

export function heldMessages(): HeldMessages {
  const messages: Message[] = [];
  /** What each of them takes in memory. */
  const weights: number[] = [];
  let wholeBytes = 0, shortBytes = 0;
  /** How many messages, from the first, are shortened. */
  let shortCount = 0;
  /** The number of the first message. */
  let first = 0;
  let beginsWithSummary = false;

  function shorten(): void {
    // half of it at once: each message is shortened once, and the newest ones are left whole
    while (wholeBytes > maxWholeBytes / 2 && shortCount < messages.length - 1) {
      const short = messages[shortCount] = shortened(messages[shortCount]!);
      const weight = weigh(short);
      wholeBytes -= weights[shortCount]!;
      shortBytes += weight;
      weights[shortCount++] = weight;
    }
    if (shortBytes > maxShortBytes) digest();
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
      if (at < shortCount) shortBytes -= gone;
      else wholeBytes -= gone;
    }
    shortCount = Math.max(0, shortCount - count) + 1;
    shortBytes += weight;
    first += count - 1;
    beginsWithSummary = true;
  }

  return {
    messages,
    push(message) {
      const number = first + messages.push(message) - 1, weight = weigh(message);
      weights.push(weight);
      wholeBytes += weight;
      if (wholeBytes > maxWholeBytes) shorten();
      return number;
    },
    replace(number, message) {
      const at = number - first;
      if (at < (beginsWithSummary ? 1 : 0)) return;
      const isShort = at < shortCount;
      const held = isShort ? shortened(message) : message;
      const weight = weigh(held), more = weight - weights[at]!;
      if (isShort) shortBytes += more;
      else wholeBytes += more;
      messages[at] = held;
      weights[at] = weight;
    },
    summarise,
  };
}

const digestScale = 1 / 16;
const digestOpening = "(No model has summarised these messages: what is left of them stands here.)";

function weigh(message: Message): number {
  return messageBytes + sizeOfMessage(message).bytes;
}
