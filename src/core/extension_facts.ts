/** What people and clients are told of an extension. */
import type { JsonObject } from "./json.ts";

export interface ExtensionFacts {
  readonly name: string;
  readonly state: "running" | "failed" | "disabled";
  /** How many the model is offered. */
  readonly tools: number;
  readonly commands: readonly string[];
  readonly events: readonly string[];
  /** Texts by their keys. */
  readonly status: JsonObject;
  /** How long its newest process took to register. */
  readonly registeredMs?: number;
  readonly error?: string;
}
