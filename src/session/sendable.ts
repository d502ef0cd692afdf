/** What one request can hold, whatever the model. */
import type { Message } from "../core/message.ts";
import { estimateSize } from "./token_estimate.ts";

/** Of a model whose window is not known: none has a larger one. */
export const maxSendTokens = 2_000_000;
/** Servers refuse larger requests. */
export const maxSendBytes = 32 * 1024 * 1024;

/** True where the messages may be sent at all. */
export function isSendable(messages: readonly Message[]): boolean {
  return estimateSize(messages).bytes <= maxSendBytes;
}

/** True where they need not be shortened before a model of unknown window is asked. */
export function fitsAnyRequest(messages: readonly Message[]): boolean {
  return isSendable(messages) && estimateSize(messages).tokens <= maxSendTokens;
}
