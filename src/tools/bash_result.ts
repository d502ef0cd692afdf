/** The text of a finished command: head, stdout, stderr. */
import { ToolFailure } from "../core/failure.ts";
import type { ProcessResult } from "../core/host.ts";
import { interruptionOf } from "../core/interruption.ts";
import { leftOverLines } from "../core/left_over.ts";
import type { ToolOutput } from "../core/tool.ts";
import { counted } from "./file_result.ts";

export interface Timeout {
  readonly seconds: number;
  /** Says how it was counted, where not as it was given. */
  readonly note?: string;
}

/** The result of a command that ended by itself; throws `ToolFailure` where it was ended. */
export function commandResult(
  result: ProcessResult,
  timeout: Timeout,
  signal: AbortSignal,
  sandboxNotes: readonly string[] = [],
): ToolOutput {
  const text = (head: readonly string[]) =>
    [
      ...head,
      ...sandboxNotes,
      ...notes(result),
      ...(timeout.note ? [timeout.note] : []),
      ...body(result),
    ].join(
      "\n",
    );
  switch (result.end) {
    case "timeout":
      throw new ToolFailure(
        "timeout",
        text([`TIMEOUT after ${timeout.seconds} s: the command was ended`]),
      );
    case "aborted":
      throw new ToolFailure(
        "interrupted",
        text([`INTERRUPTED (${interruptionOf(signal).message})`]),
      );
    case "exited":
    case "overflow":
    case "idle":
      return {
        text: text([`exit_code: ${result.exitCode}`]),
        exitStatus: result.exitCode,
      };
  }
}

function notes(result: ProcessResult): string[] {
  const lines = [`duration_ms: ${result.durationMs}`];
  const ended = result.end === "timeout" || result.end === "aborted";
  if (result.signal !== undefined && !ended) {
    lines.push(`ended_by: signal ${result.exitCode - 128} (${result.signal})`);
  }
  lines.push(...leftOverLines(result));
  const overwritten = (result.stdout.overwritten ?? 0) + (result.stderr.overwritten ?? 0);
  if (overwritten > 0) {
    lines.push(
      `progress: ${counted(overwritten, "frame")} that a carriage return overwrote left out`,
    );
  }
  if (result.stdout.replaced || result.stderr.replaced) {
    lines.push("encoding: bytes that are not UTF-8 were replaced");
  }
  return lines;
}

/** A blank line, and a section for each stream that said something. */
function body({ stdout, stderr }: ProcessResult): string[] {
  const sections = [section("stdout", stdout.text), section("stderr", stderr.text)]
    .filter((text) => text !== "");
  return sections.length === 0 ? [] : ["", sections.join("")];
}

/** Ends its last line, so that the next section starts on one of its own. */
function section(name: string, text: string): string {
  if (text === "") return "";
  return `${name}:\n${text}${text.endsWith("\n") ? "" : "\n"}`;
}
