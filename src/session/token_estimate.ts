/** Estimates how many tokens a conversation takes. */
import type { Message } from "../core/message.ts";
import { byteLength } from "../lib/well_formed.ts";

/** Code and prose in most tokenisers; counting bytes keeps it fair for scripts beyond Latin. */
const bytesPerToken = 4;
/** A large picture in the providers' own counts. */
const tokensPerImage = 1600;
/** Role, separators, ids. */
const tokensPerMessage = 4;

/** How much of each list was counted: lists only grow at their end, and messages stay as they are. */
const counted = new WeakMap<readonly Message[], { count: number; tokens: number }>();

/**
 * A guess that needs no tokeniser: a quarter of the bytes, and a flat price for each image. Of a list
 * that has grown only what is new is counted.
 */
export function estimateTokens(messages: readonly Message[]): number {
  let known = counted.get(messages);
  if (known === undefined || known.count > messages.length) {
    known = { count: 0, tokens: 0 };
    counted.set(messages, known);
  }
  for (; known.count < messages.length; known.count++) {
    known.tokens += estimateMessage(messages[known.count]!);
  }
  return known.tokens;
}

function estimateText(text: string): number {
  return Math.ceil(byteLength(text) / bytesPerToken);
}

function estimateMessage(message: Message): number {
  let tokens = tokensPerMessage;
  for (const part of message.content) {
    switch (part.type) {
      case "text":
        tokens += estimateText(part.text);
        break;
      case "thinking":
        tokens += estimateText(part.text) + estimateJson(part.metadata);
        break;
      case "tool_use":
        tokens += estimateText(part.name) + estimateJson(part.input) +
          estimateJson(part.metadata) + estimateText(part.invalidText ?? "");
        break;
      case "image":
        tokens += tokensPerImage;
        break;
    }
  }
  return tokens;
}

function estimateJson(value: unknown): number {
  return value === undefined ? 0 : estimateText(JSON.stringify(value));
}
