/** The version of session files: the one that is written and read, and the refusal of others. */
import { RunFailure } from "../core/failure.ts";

export const sessionVersion = 2;

/** Throws `RunFailure("session")` where a session's first record has another version. */
export function checkVersion({ version }: { readonly version: unknown }, path: string): void {
  if (version === sessionVersion) return;
  const older = typeof version === "number" && version < sessionVersion;
  throw new RunFailure(
    "session",
    `session ${path} has version ${JSON.stringify(version)} of the format, ` +
      `and this nimlet reads version ${sessionVersion} alone; ` +
      (older ? "begin a new session" : "use a newer nimlet"),
  );
}
