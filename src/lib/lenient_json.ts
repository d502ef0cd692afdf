/** Reads JSON that people write: comments are allowed, at no cost where there are none. */
import type { JsoncProblem, JsoncValue } from "./jsonc.ts";

/**
 * The value of a text that is JSON, perhaps with comments and trailing commas; a byte order mark is
 * skipped. `problem` is the first in the text, undefined where it holds no value at all.
 */
export async function parseLenient(
  text: string,
): Promise<{ readonly value: JsoncValue } | { readonly problem: JsoncProblem | undefined }> {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    return { value: JSON.parse(body) as JsoncValue };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // only now: the library takes milliseconds to load
  const { parseJsonc } = await import("./jsonc.ts");
  const parsed = parseJsonc(body);
  return "value" in parsed ? parsed : { problem: parsed.problems[0] };
}
