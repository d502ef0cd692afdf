/** How a tool call looks to a person: one line for the call, one for its result. */
import { isJsonObject, type Json } from "../../core/json.ts";
import { onOneLine } from "../../lib/trim.ts";
import { shortenToWidth, textWidth } from "../../lib/text_width.ts";
import { visible } from "../../lib/visible.ts";
import type { Style } from "./style.ts";

/** `name what` for a call, short enough for one line of `columns`. */
export function callLine(name: string, input: Json, columns: number, style: Style): string {
  const shown = visible(name);
  // leaves room for the result on the same line
  const subject = callSubject(input, Math.max(20, columns - textWidth(shown) - 28));
  return `${style.cyan("●")} ${style.bold(shown)}${subject ? ` ${subject}` : ""}`;
}

/** What a call works on, in one line of at most `columns`; "" for nothing. */
export function callSubject(input: Json, columns: number): string {
  const subject = onOneLine(visible(subjectOf(input).slice(0, maxSubjectChars)), " ⏎ ");
  return shortenToWidth(subject, columns);
}

/** More than any screen has columns. */
const maxSubjectChars = 4096;

const subjectKeys = ["command", "pattern", "operation", "path", "name", "question"];

function subjectOf(input: Json): string {
  if (!isJsonObject(input)) return JSON.stringify(input);
  const named = subjectKeys.filter((key) => typeof input[key] === "string").map((key) =>
    input[key]
  );
  if (named.length > 0) return named.slice(0, 2).join(" in ");
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input);
}

/** The end of a call: a mark, the time, the size, and why where it failed. */
export function resultText(
  result: { output: string; is_error: boolean; duration_ms?: number | undefined },
  style: Style,
): string {
  const time = result.duration_ms === undefined ? "" : `${seconds(result.duration_ms)}, `;
  const size = `${time}${sizeOf(result.output)}`;
  const reason = result.is_error ? result.output.split("\n", 1)[0]! : failedExit(result.output);
  if (reason === "") return `${style.green("✓")} ${style.dim(size)}`;
  const shown = shortenToWidth(visible(reason), maxReasonColumns);
  return `${style.red("✗")} ${shown} ${style.dim(`(${size})`)}`;
}

const maxReasonColumns = 200;

/** The head of a command that ran to its end, but did not succeed. */
function failedExit(output: string): string {
  return /^exit_code: (?!0\b)\d+/.exec(output)?.[0] ?? "";
}

const maxDiffLines = 40;

/** The unified diff within a result of `edit` or `write`, coloured and shortened; empty for none. */
export function diffLines(output: string, style: Style): string[] {
  const lines = output.split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@ "));
  if (start < 0) return [];
  const diff = lines.slice(start).map((line) => `  ${colourDiff(visible(line), style)}`);
  if (diff.length <= maxDiffLines) return diff;
  const left = diff.length - maxDiffLines;
  return [...diff.slice(0, maxDiffLines), style.dim(`  … ${left} more lines`)];
}

/** One line of a unified diff; its file names are not taken for changes. */
export function colourDiff(line: string, style: Style): string {
  if (/^(?:---|\+\+\+) /.test(line)) return style.bold(line);
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return style.dim(line);
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
