/** The description of the model that is asked, as far as requests depend on it. */
import type { Wire } from "../catalog.ts";
import type { ModelFacts } from "../models/model_facts.ts";

export interface Target {
  readonly provider: string;
  readonly model: string;
  readonly wire: Wire;
  readonly facts: ModelFacts;
  /** False once the server refused an image. */
  readonly images: boolean;
}
