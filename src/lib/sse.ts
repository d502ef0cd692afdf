/** Server-sent events from text that may be cut anywhere, read by the package eventsource-parser. */
import { createParser } from "eventsource-parser";

export interface SseEvent {
  /** The `event:` field; empty where there was none. */
  readonly name: string;
  /** The `data:` lines, joined by newlines. */
  readonly data: string;
  /** The `id:` field; absent where there was none. */
  readonly id?: string;
}

export interface SseReader {
  /** Takes the next text and reports the events that it completes. */
  push(text: string): void;
  /** The stream is over: what is left is an event, too, though its blank line is missing. */
  end(): void;
}

export class OversizedEvent extends Error {
  override readonly name = "OversizedEvent";
}

/** One event is far smaller; without a limit a broken server fills the memory. */
const defaultMaxChars = 64 * 1024 * 1024;

export interface SseOptions {
  /** Called for each comment line: servers keep connections alive with them. */
  comment?(): void;
  /** Called for a `retry:` field: the milliseconds to wait before the stream is taken up again. */
  retry?(ms: number): void;
  readonly maxChars?: number;
}

export function sseReader(
  take: (event: SseEvent) => void,
  { comment = () => {}, retry = () => {}, maxChars = defaultMaxChars }: SseOptions = {},
): SseReader {
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: ({ event, data, id }) =>
      take({ name: event ?? "", data, ...id === undefined ? {} : { id } }),
    onRetry: retry,
    onComment: (text) => {
      // Some gateways forget the line end between a keep-alive comment and the data after it.
      const glued = text.indexOf("data: {");
      if (glued > 0) take({ name: "", data: text.slice(glued + 6) });
      else comment();
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new OversizedEvent("an event is too large");
    },
  });
  return { push: (text) => parser.feed(text), end: () => parser.feed("\n\n") };
}
