/** Reads the result of a tool: standard output is exactly one JSON value, or the call failed. */
import type { CapturedOutput } from "../core/host.ts";
import type { Json } from "../core/json.ts";
import { quoteStart } from "../lib/visible_text.ts";

export type ResultReading =
  /** For the model: a string as its text, anything else as its JSON as written. */
  | { readonly text: string }
  /** Completes the sentence "<tool> wrote ...". */
  | { readonly problem: string };

/** Reads what a tool wrote; white space around the value is fine. */
export async function readResult(stdout: CapturedOutput): Promise<ResultReading> {
  const written = stdout.text.trim();
  if (stdout.totalBytes === 0) return { problem: "nothing to standard output (empty stdout)" };
  if (stdout.replaced) return { problem: `invalid UTF-8 to standard output: ${start(written)}` };
  // trim() also takes the mark away, which is no white space in JSON
  if (stdout.text.trimStart() !== stdout.text && stdout.text.includes("\ufeff")) {
    const mark = /^[\s\ufeff]*?\ufeff/.test(stdout.text);
    if (mark) return { problem: "a byte order mark in front of its JSON (invalid JSON)" };
  }
  if (written === "") return { problem: "only white space to standard output (empty stdout)" };
  try {
    const value = JSON.parse(stdout.text) as Json;
    return { text: typeof value === "string" ? value.toWellFormed() : written };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return { problem: await explain(stdout.text) };
}

async function explain(text: string): Promise<string> {
  const { firstJsonProblem } = await import("../lib/jsonc.ts");
  const first = firstJsonProblem(text);
  const quoted = start(text.trimStart());
  if (first === undefined) return `invalid JSON: ${quoted}`;
  const where = `line ${first.line}, column ${first.column}`;
  return first.kind === "second_value"
    ? `more than one JSON value (invalid JSON at ${where}): ${quoted}`
    : `invalid JSON at ${where}, ${first.message}: ${quoted}`;
}

function start(text: string): string {
  return `it starts with ${quoteStart(text, 120)}`;
}
