/** The two kinds of failure: one the model can answer, one that ends the run. */
import { onOneLine } from "../lib/trim.ts";

/** What a tool call can fail with; the model reads the code in front of the sentence. */
export type ToolFailureCode =
  | "invalid_arguments"
  | "unknown_tool"
  | "unavailable"
  | "approval_denied"
  | "outside_workspace"
  | "not_found"
  | "already_exists"
  | "not_a_file"
  | "not_text"
  | "too_large"
  | "read_only"
  | "io_error"
  | "edit_failed"
  | "pattern"
  | "git_failed"
  | "tool_failed"
  | "tool_changed"
  | "timeout"
  | "interrupted"
  | "question_unavailable"
  | "internal";

/**
 * A failure that a tool foresees and the model can answer.
 * `message` is the whole text of the result: the dispatcher adds nothing in front of it.
 */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  constructor(readonly code: ToolFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Who can act on a failure that ends the run; decides the exit status. */
export type RunFailureCode =
  | "usage" // wrong flags or arguments: the person at the shell, exit 2
  | "config" // a file, key or model that cannot be used: whoever keeps the configuration, exit 2
  | "provider" // the model's side refused or broke, exit 1
  | "network" // the model could not be reached, exit 1
  | "session" // a session cannot be read or written, exit 1
  | "output" // standard output cannot be written, exit 1
  | "hook" // a hook or extension blocked the prompt or ended the run, exit 1
  | "schema" // the final answer does not fit the wanted schema, exit 1
  | "limit" // --max-steps or --timeout, exit 3
  | "interrupted" // a signal, exit 130 or 143
  | "internal"; // a fault of the program itself, exit 1

/** A failure that ends the run. `message` is one sentence for people, without a stack. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  constructor(readonly code: RunFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Exit statuses of the program, as documented. */
export const exitStatus = {
  done: 0,
  failed: 1,
  usage: 2,
  limit: 3,
  sighup: 129,
  sigint: 130,
  sigterm: 143,
} as const;

export function exitStatusOf(code: RunFailureCode): number {
  switch (code) {
    case "usage":
    case "config":
      return exitStatus.usage;
    case "limit":
      return exitStatus.limit;
    case "interrupted":
      return exitStatus.sigint;
    case "provider":
    case "network":
    case "session":
    case "output":
    case "schema":
    case "hook":
    case "internal":
      return exitStatus.failed;
  }
}

/** The message of anything thrown, in one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return onOneLine(text) || "unknown error";
}
