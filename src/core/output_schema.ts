/** The form that the final answer must have where a program reads it. */
import type { JsonObject } from "./json.ts";

export interface OutputSchema {
  /** What is shown to the model, and to providers that can keep to it. */
  readonly schema: JsonObject;
  /**
   * The JSON text of an answer that fits; else what is wrong with it, each in one sentence. Rejects
   * with the signal's reason when it aborts.
   */
  read(text: string, signal: AbortSignal): Promise<ReadAnswer>;
}

export type ReadAnswer = { readonly json: string } | { readonly problems: readonly string[] };
