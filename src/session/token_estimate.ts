/** Estimates how much a conversation takes: tokens of a model, bytes of a request. */
import type { Message } from "../core/message.ts";
import { byteLength } from "../lib/well_formed.ts";

/** Code and prose in most tokenisers; counting bytes keeps it fair for scripts beyond Latin. */
const bytesPerToken = 4;
/** A large picture in the providers' own counts. */
const tokensPerImage = 1600;
/** Role, separators, ids. */
const tokensPerMessage = 4;

export interface Size {
  readonly tokens: number;
  /** In a request, about. */
  readonly bytes: number;
}

/** Of messages, which stay as they are. */
const sizes = new WeakMap<Message, Size>();
/** How much of each list was counted: lists only grow at their end. */
const counted = new WeakMap<readonly Message[], Size & { count: number }>();

/**
 * A guess that needs no tokeniser: a quarter of the bytes, and a flat price for each image. Of a list
 * that has grown only what is new is counted.
 */
export function estimateTokens(messages: readonly Message[]): number {
  return estimateSize(messages).tokens;
}

export function estimateSize(messages: readonly Message[]): Size {
  let known = counted.get(messages);
  if (known?.count === messages.length) return known;
  if (known === undefined || known.count > messages.length) {
    known = { count: 0, tokens: 0, bytes: 0 };
  }
  let { count, tokens, bytes } = known;
  for (; count < messages.length; count++) {
    const size = knownSize(messages[count]!);
    tokens += size.tokens;
    bytes += size.bytes;
  }
  known = { count, tokens, bytes };
  counted.set(messages, known);
  return known;
}

/** What all messages of a list take, where that was counted as it was made. */
export function noteSize(messages: readonly Message[], { tokens, bytes }: Size): void {
  counted.set(messages, { count: messages.length, tokens, bytes });
}

function knownSize(message: Message): Size {
  let size = sizes.get(message);
  if (size === undefined) sizes.set(message, size = sizeOfMessage(message));
  return size;
}

/** With `moreBytes` added to it. */
export function sizeOfMessage(message: Message, moreBytes = 0): Size {
  let tokens = tokensPerMessage, bytes = tokensPerMessage * bytesPerToken + moreBytes;
  for (const part of message.content) {
    if (part.type === "image") {
      tokens += tokensPerImage;
      bytes += part.data.length;
      continue;
    }
    for (const text of textsOf(part)) {
      const length = byteLength(text);
      bytes += length;
      tokens += Math.ceil(length / bytesPerToken);
    }
  }
  return { tokens, bytes };
}

function textsOf(part: Exclude<Message["content"][number], { type: "image" }>): string[] {
  if (part.type === "text") return [part.text];
  const texts = part.type === "thinking"
    ? [part.text]
    : [part.name, JSON.stringify(part.input), part.invalidText ?? ""];
  if (part.metadata !== undefined) texts.push(JSON.stringify(part.metadata));
  return texts;
}
