/** What people and clients are told of an extension. */
import type { JsonObject } from "./json.ts";
import type { Probe } from "./probe.ts";

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

/** What a look at one says of it. */
export function extensionProbe(
  { name, tools, commands, events, registeredMs: ms, error, state }: ExtensionFacts,
): Probe {
  if (ms === undefined) return { ok: false, text: `extension ${name}: ${error ?? state}` };
  const offers = [
    `${tools} ${tools === 1 ? "tool" : "tools"}`,
    ...commands.map((command) => `/${command}`),
    ...events,
  ];
  return { ok: true, text: `extension ${name}: registered in ${ms} ms, ${offers.join(", ")}` };
}
