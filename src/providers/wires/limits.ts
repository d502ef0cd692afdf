/** What the servers of each wire and profile cannot take: facts that requests are made by. */
import type { IdForm } from "../../core/call_ids.ts";
import type { Profile } from "../catalog.ts";

export interface Limits {
  /** The form of call ids that the server takes. */
  readonly callId: IdForm;
  /** JSON Schema keywords that the server knows in a tool's schema; undefined: all. */
  readonly schemaKeywords?: ReadonlySet<string>;
  /** Whether the output cap counts thinking, so that room for it is added. */
  readonly capCountsThinking: boolean;
  /** Fields of `providers.<name>.options` that a thinking level overrides. */
  readonly thinkingFields: readonly string[];
}

const chat: Limits = {
  callId: words(40), // OpenAI's own limit, which some servers copy
  capCountsThinking: false,
  thinkingFields: [
    "reasoning_effort",
    "reasoning",
    "thinking",
    "enable_thinking",
    "thinking_budget",
    "include_reasoning",
  ],
};

export const limits: Readonly<Record<Profile, Limits>> = {
  chat,
  openrouter: chat,
  mistral: {
    callId: (id, round) =>
      round === 0 && /^[A-Za-z0-9]{9}$/.test(id) ? id : shortHash(`${id}#${round}`),
    capCountsThinking: false,
    thinkingFields: ["reasoning_effort", "prompt_mode"],
  },
  responses: { callId: words(64), capCountsThinking: true, thinkingFields: ["reasoning"] },
  // Room for a thinking budget is added by the wire itself.
  anthropic: {
    callId: words(64),
    capCountsThinking: false,
    thinkingFields: ["thinking", "output_config"],
  },
  google: {
    callId: words(64),
    capCountsThinking: true,
    thinkingFields: ["generationConfig", "generation_config"],
    // What `parametersJsonSchema` knows; requests with anything else were refused.
    schemaKeywords: new Set([
      "$defs",
      "$ref",
      "additionalProperties",
      "anyOf",
      "description",
      "enum",
      "format",
      "items",
      "maxItems",
      "maximum",
      "minItems",
      "minimum",
      "oneOf",
      "prefixItems",
      "properties",
      "required",
      "title",
      "type",
    ]),
  },
};

/** Ids of letters, digits, `_` and `-`, of `most` characters at the most. */
function words(most: number): IdForm {
  return (id, round) => {
    const clean = id.replace(/[^A-Za-z0-9_-]/g, "_") || "call";
    const suffix = round === 0 ? "" : `_${round + 1}`;
    const fits = clean.length + suffix.length <= most;
    // A cut id keeps its end: that is where ids differ.
    return (fits ? clean : clean.slice(-(most - suffix.length))) + suffix;
  };
}

/** Nine characters of `0-9a-z` that depend on the whole text. */
function shortHash(text: string): string {
  let a = 0x811c9dc5, b = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b + unit, 0x85ebca6b) ^ (b >>> 13);
  }
  const digits = (a >>> 0).toString(36).padStart(7, "0") + (b >>> 0).toString(36).padStart(7, "0");
  return digits.slice(1, 5) + digits.slice(9, 14);
}
