/** Why a server could not be started. */
import { messageOf } from "../core/failure.ts";
import { McpFailure } from "./failure.ts";

const quotedErrorChars = 2048;

/** Why a server is not there, as a whole sentence. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

export function tooOften(name: string, starts: number): string {
  return `${name} was started ${starts} times within a minute and ended each time; ` +
    `/mcp restart tries again.`;
}

export function startProblem(name: string, reason: unknown, errors: string): string {
  const text = messageOf(reason).replace(/\.$/, "");
  const sentence = !(reason instanceof McpFailure)
    ? text
    : reason.kind === "time-out"
    ? text
    : reason.kind === "gone" && !text.startsWith("cannot")
    ? `it ${text} before it answered`
    : reason.kind === "answer"
    ? `it refuses to start: ${text}${(reason.code ?? 0) === 0 ? "" : ` (${reason.code})`}`
    : `it ${text}`;
  return `mcp server ${name}: ${sentence}.${quotedErrors(errors)}`;
}

/** The end of what a server wrote to stderr, as a section of its own. */
export function quotedErrors(errors: string): string {
  const text = errors.trim();
  return text === "" ? "" : `\nstderr:\n${text.slice(-quotedErrorChars)}`;
}
