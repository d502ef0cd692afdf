/** What can be wrong with a provider's answer, before it becomes a sentence. */
import type { Json } from "../../core/json.ts";

export type Fault =
  /** An answer with a status that is no success. */
  | {
    readonly type: "http";
    readonly status: number;
    readonly headers: Headers;
    /** The start of the body. */
    readonly body: string;
  }
  /** No connection, or one that broke off. */
  | { readonly type: "connection"; readonly error: unknown; readonly started: boolean }
  /** An error object inside the stream. */
  | { readonly type: "stream"; readonly error: Json }
  /** An answer that is not in the wire's form; the text completes "the answer ...". */
  | { readonly type: "protocol"; readonly problem: string }
  /** The model ended without a success and a new try may help; the text is the reason. */
  | { readonly type: "stopped"; readonly reason: string; readonly retryable: boolean };
