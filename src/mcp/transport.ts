/** What carries messages to a server and back. */
import type { Message } from "./protocol.ts";

export interface TransportEvents {
  message(message: Message): void;
  /** A message was too large and was dropped; `id` is that of the request it answers, if it could be seen. */
  tooLarge(bytes: number, id: number | undefined): void;
  /** Nothing will come any more; `reason` completes the sentence "it ...". */
  closed(reason: string): void;
}

export interface Transport {
  open(events: TransportEvents): void;
  /**
   * Rejects with `McpFailure` where the message cannot be delivered or is refused. Over HTTP it resolves
   * when the answer has been read. `headers` are for that message alone; only HTTP has any.
   */
  send(
    message: Message,
    signal?: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** What the handshake has settled; undefined where a new one begins. */
  settle(revision: string | undefined): void;
  /** Ends the connection, and the server where it is a program. Never rejects; may be called twice. */
  close(): Promise<void>;
  /** True where the end of a request's stream cancels it. */
  readonly cancelsByClosing: boolean;
  /** A text without the secrets of the settings. */
  hide(text: string): string;
  /** The end of what the server wrote for people, and the first lines of its stdout that are no messages. */
  readonly words: { readonly errors: string; readonly strayLines: readonly string[] };
}
