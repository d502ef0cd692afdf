/** What a server turned out not to take, and what is sent instead from then on. */
import type { ModelError } from "../core/model.ts";

export interface Adjustments {
  /** False: images are left out, with a note in their place. */
  readonly images: boolean;
  /** True: schemas of tools go without the keywords that grammars are made of. */
  readonly simpleSchemas: boolean;
  /** True: messages of the user and the model take turns, with words of ours in the gaps. */
  readonly alternate: boolean;
  /** Other names of the body's fields; undefined: the field is left out. */
  readonly fields: ReadonlyMap<string, string | undefined>;
}

export interface Change {
  readonly adjustments: Adjustments;
  readonly notice: string;
  /** False where the failure does not name what is changed. */
  readonly isCertain: boolean;
}

/** What was sent, as far as a server may have refused it. */
export interface Sent {
  readonly provider: string;
  readonly model: string;
  readonly hasImages: boolean;
  readonly hasTools: boolean;
  /** Names of the body's fields. */
  readonly fields: readonly string[];
}

const otherNames = new Map([
  ["max_tokens", "max_completion_tokens"],
  ["max_completion_tokens", "max_tokens"],
]);

/** Fields that no request is without. */
const needed = ["model", "messages", "input", "contents", "system", "tools", "stream"];

/** What to send instead after `error`; undefined where nothing of it is known to help. */
export function changeAfter(error: ModelError, now: Adjustments, sent: Sent): Change | undefined {
  const { message, details: { status = 0, parameter } } = error;
  const who = `${sent.provider} (${sent.model})`;
  if (status === 401 || status === 403 || status === 404 || status === 429) return undefined;
  const field = refusedField(message, parameter, sent.fields);
  if (field !== undefined && !now.fields.has(field)) {
    const other = otherNames.get(field);
    const fields = new Map(now.fields).set(field, other);
    const instead = other === undefined ? "it is left out" : `${other} is sent instead`;
    const notice = `${who} does not take the parameter ${field}; ${instead}.`;
    return { adjustments: { ...now, fields }, notice, isCertain: true };
  }
  if (!now.simpleSchemas && sent.hasTools && /\bgrammar|schema\b/i.test(message)) {
    return {
      adjustments: { ...now, simpleSchemas: true },
      notice: `${who} does not take the tools' schemas; they are sent in a simpler form.`,
      isCertain: true,
    };
  }
  if (!now.alternate && /\balternat/i.test(message) && /\b(user|roles?)\b/i.test(message)) {
    return {
      adjustments: { ...now, alternate: true },
      notice: `${who} wants messages of user and model to take turns; gaps are closed.`,
      isCertain: true,
    };
  }
  const mayBeImages = now.images && sent.hasImages && (
    error.kind === "request" && [0, 400, 415, 422].includes(status) ||
    error.kind === "overflow" && status === 413
  );
  return mayBeImages
    ? {
      adjustments: { ...now, images: false },
      notice: `${sent.provider} does not take images for ${sent.model}; they are left out.`,
      isCertain: false,
    }
    : undefined;
}

/** The field of the body that the server says it does not know or take. */
function refusedField(
  message: string,
  parameter: string | undefined,
  fields: readonly string[],
): string | undefined {
  if (!refusals.test(message)) return undefined;
  const known = fields.filter((field) => !needed.includes(field));
  const own = parameter?.split(/[.[]/)[0];
  if (own !== undefined && known.includes(own)) return own;
  // some write it as reasoningEffort
  const isNamed = (field: string) =>
    new RegExp(`(?<![\\w.])${field.replaceAll("_", "_?")}(?!\\w)`, "i").test(message);
  const named = known.find(isNamed);
  if (named !== undefined || !refusesThinking.test(message)) return named;
  return known.find((field) => /^(?:reasoning|thinking|enable_thinking)/.test(field));
}

/** Not the name of a model that ends in `-thinking`. */
const refusesThinking =
  /\b(?:support|accept|allow)\w* (?:\w+ )?(?:thinking|reasoning)\b|(?<![\w-])(?:thinking|reasoning)(?: \w+){0,2} (?:is|are) not\b/i;

/** A value that is too large or too small is no refusal of the parameter. */
const refusals = new RegExp(
  "unsupported|unknown|unrecogni[sz]ed|unexpected|forbidden|no longer|deprecated|extra (?:fields|inputs)|" +
    "not (?:supported|permitted|allowed|accepted|available|recogni[sz]ed)|" +
    "(?:does not|do not|doesn't|don't) (?:support|accept|allow|recogni[sz]e|take)|" +
    "cannot (?:find field|be (?:used|set|specified))|invalid (?:parameter|argument|field|property)",
  "i",
);
