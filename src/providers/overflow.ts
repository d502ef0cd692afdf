/** Telling a conversation that is too long for the model from other wrong requests. */

export function isOverflow(status: number, text: string): boolean {
  if (status === 413) return true;
  // "image exceeds 5 MB maximum": a shorter conversation would not help
  if (/\bimages?\b.{0,60}\b(exceed|too large|larger)/i.test(text)) return false;
  return [0, 400, 422, 500].includes(status) && overflowWords.test(text);
}

const overflowWords = new RegExp(
  [
    "context[ _-]?(length|window|size|limit|overflow)",
    "maximum (prompt|context|input)",
    "max(imum)? (number of )?(input )?tokens",
    "(prompt|input|conversation|request|message|context)s? (is |are )?too (long|large)",
    "input length",
    "too many (input )?tokens",
    "tokens? .{0,40}exceed",
    "exceeds? .{0,40}(context|tokens?\\b|maximum|available)",
    "context_length_exceeded",
    "request_too_large",
    "string_above_max_length",
    "reduce the length",
    "too large for model",
  ].join("|"),
  "i",
);
