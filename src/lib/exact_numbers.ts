/**
 * Numbers in JSON that a JavaScript number would round: 64-bit ids, mostly. They are kept as their
 * text, in the form that `JSON.stringify` writes as it is.
 */

/** A number as its JSON text. To the type checker it is part of JSON values like any other number. */
export interface ExactNumber {
  readonly rawJSON: string;
}

// The type library does not know these yet.
const engine = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

/**
 * Without any, no number of the text is rounded, but for fractions. Digits are looked at where a number
 * can begin, and not at each of them: this is asked of every event of a stream.
 */
const mayHold = /(?:^|[\s:,[-])(?:\d{16}|\d+\.\d{16}|\d[\d.]*[eE]\+?\d{3})/;

/** `JSON.parse` that keeps integers beyond 2^53, and numbers too large for any, as exact numbers. */
export function parseExactly(text: string): unknown {
  if (!mayHold.test(text)) return JSON.parse(text);
  return engine.parse(
    text,
    (_key, value, { source }) => isRounded(value) ? engine.rawJSON(source!) : value,
  );
}

function isRounded(value: unknown): boolean {
  if (typeof value !== "number") return false;
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
}

/** True for a number that is kept as its text. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return engine.isRawJSON(value);
}

/** The exact number of an integer's text. */
export function exactNumber(text: string): ExactNumber {
  return engine.rawJSON(text);
}

/** `value` with ordinary numbers, which may be rounded: for bounds and checks of types alone. */
export function withPlainNumbers<Value>(value: Value): Value {
  return plain(value) as Value;
}

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isExactNumber(value)) return Number(value.rawJSON);
  if (!holdsExact(value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function holdsExact(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(holdsExact);
}
