/** The form that the final answer must have where a program reads it. */
import type { JsonObject } from "./json.ts";

export interface OutputSchema {
  /** What is shown to the model, and to providers that can keep to it. */
  readonly schema: JsonObject;
  /** The JSON text of an answer that fits; else what is wrong with it, each in one sentence. */
  read(text: string): { readonly json: string } | { readonly problems: readonly string[] };
}
