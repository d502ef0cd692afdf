/** Holds a run to the required form of its answer: the instruction, the second try, the verdict. */
import type { OutputSchema } from "../../core/output_schema.ts";
import type { RunOutcome } from "../../core/conversation.ts";
import { exitStatus } from "../../core/failure.ts";
import { type Message, textOf } from "../../core/message.ts";

export interface OutputSchemaRetry {
  /** For the end of the system prompt. */
  readonly instruction: string;
  /** What to send where the last message is an answer that does not fit; undefined at the last miss. */
  askAgain(
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<{ notice: string; request: string } | undefined>;
  /** The outcome with the bare JSON as its text, or failed. */
  judge(outcome: RunOutcome, signal: AbortSignal): Promise<RunOutcome>;
}

const maxTries = 3;

/** For one run. */
export function outputSchemaRetry(outputSchema: OutputSchema): OutputSchemaRetry {
  let misses = 0;
  return {
    instruction:
      "\n\nA program reads your final message: it must be one JSON value that fits the " +
      "JSON Schema below, without a fence and without a word around it. Messages that call tools " +
      `are free in form.\n\n${JSON.stringify(outputSchema.schema)}`,
    async askAgain(messages, signal) {
      const last = messages.at(-1);
      const read = last?.role === "assistant"
        ? await outputSchema.read(textOf(last), signal)
        : undefined;
      if (read === undefined || "json" in read || ++misses >= maxTries) return undefined;
      const problems = read.problems.join("; ");
      return {
        notice: `the answer does not fit --output-schema (${problems}); asking again ` +
          `(${misses} of ${maxTries - 1})`,
        request: `Your answer does not fit the JSON Schema that was given: ${problems}. Send the ` +
          "whole answer again as one JSON value that fits it, and nothing else.",
      };
    },
    async judge(outcome, signal) {
      const read = await outputSchema.read(outcome.text, signal);
      if ("json" in read) return { ...outcome, text: read.json };
      return {
        ...outcome,
        status: "failed",
        exitStatus: exitStatus.failed,
        failure: {
          code: "schema",
          message: `the final answer does not fit --output-schema: ${read.problems.join("; ")}`,
        },
      };
    },
  };
}
