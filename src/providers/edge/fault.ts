/** What can be wrong with a provider's answer, as the edge saw it, before it is put in words. */
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

/** What the edge learned about one answer, for the adapter behind the SDK package. */
export interface AnswerFacts {
  fault?: Fault;
  /** The server's own word for the end. */
  rawReason?: string;
  /** Refusal text, where the wire streams it apart from the answer. */
  refusal?: string;
  /** The usage object as the server sent it, null fields and all. */
  usage?: Json;
  /** Lengths of the deltas in each text that was joined, in order. */
  runs?: number[][];
  /** What goes back with the message on the next request, beside what the SDK package keeps. */
  extra?: { readonly text: string; readonly data: { [key: string]: Json } };
}
