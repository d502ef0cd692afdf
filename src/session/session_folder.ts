/** The folder of sessions: how files are named, and the sentences for what cannot be read. */
import { messageOf, RunFailure } from "../core/failure.ts";
import { namesIn } from "../host/session_files.ts";

export const suffix = ".jsonl";

export function sessionPath(dir: string, id: string): string {
  return `${dir}/${id}${suffix}`;
}

/** Names of the session files in `dir`. Throws `RunFailure("session")` where it cannot be listed. */
export function sessionFileNames(dir: string): string[] {
  try {
    return namesIn(dir, suffix);
  } catch (error) {
    throw new RunFailure("session", `sessions cannot be listed in ${dir}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

export function cannotRead(path: string, error: unknown): RunFailure {
  return new RunFailure("session", `session ${path} cannot be read: ${messageOf(error)}`, {
    cause: error,
  });
}
