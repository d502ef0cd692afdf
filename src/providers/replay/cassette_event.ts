/** The events that a cassette may hold, and the check of one: a wrong one would play as silence. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { modelErrorKinds } from "../../core/model.ts";

interface Rule {
  readonly expected: string;
  readonly isRequired?: boolean;
  fits(value: Json): boolean;
}

const text: Rule = { expected: "a string", fits: (value) => typeof value === "string" };
const object: Rule = { expected: "an object", fits: isJsonObject };
const yesOrNo: Rule = { expected: "true or false", fits: (value) => typeof value === "boolean" };
const number: Rule = {
  expected: "a number that is not negative",
  fits: (value) => typeof value === "number" && value >= 0,
};
const required = (rule: Rule): Rule => ({ ...rule, isRequired: true });
const oneOf = (words: readonly string[]): Rule => ({
  expected: `one of ${words.join(", ")}`,
  fits: (value) => typeof value === "string" && words.includes(value),
});

const streamed = {
  delta: required(text),
  block: text,
  pieces: {
    expected: "an array of lengths",
    fits: (value: Json) => Array.isArray(value) && value.every((length) => number.fits(length)),
  },
  metadata: object,
};

/** Fields by type of event. */
const eventRules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  text: streamed,
  thinking: streamed,
  tool_call: {
    id: text,
    name: required(text),
    input: {
      expected: "an object, or the arguments as text",
      fits: (value) => typeof value === "string" || isJsonObject(value),
    },
    metadata: object,
  },
  notice: { message: required(text) },
  finish: {
    reason: oneOf(["stop", "tool_calls", "length", "content_filter", "error", "other"]),
    raw_reason: text,
    output_limit: number,
    usage: object,
  },
  wait: { ms: required(number) },
  error: {
    status: number,
    kind: oneOf(modelErrorKinds),
    message: text,
    retryable: yesOrNo,
    retry_after_ms: number,
    error: { expected: "what a server sends", fits: () => true },
  },
};

/** What is wrong with an event, with its type and key; undefined for a right one. */
export function checkEvent(event: JsonObject): string | undefined {
  const { type, ...fields } = event;
  const rules = typeof type === "string" && Object.hasOwn(eventRules, type)
    ? eventRules[type]!
    : undefined;
  if (rules === undefined) {
    const known = Object.keys(eventRules).join(", ");
    return `expected an event of type ${known} or expect, found ${JSON.stringify(type ?? null)}`;
  }
  for (const [key, rule] of Object.entries(rules)) {
    const value = fields[key];
    if (value === undefined ? rule.isRequired : !rule.fits(value)) {
      return `${type}.${key}: expected ${rule.expected}, found ${found(value)}`;
    }
  }
  const unknown = Object.keys(fields).find((key) => !Object.hasOwn(rules, key));
  return unknown === undefined
    ? undefined
    : `${type}.${unknown}: unknown; known are ${Object.keys(rules).join(", ")}`;
}

function found(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const shown = JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 60).toWellFormed()}...` : shown;
}
