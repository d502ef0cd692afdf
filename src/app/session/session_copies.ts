/** Copies of the current session: one to go on with, and a file to read. */
import { resolve } from "node:path";
import { RunFailure } from "../../core/failure.ts";
import type { OpenedSession, Session, SessionOptions } from "../../session/session.ts";
import type { RunEnvironment } from "../environment.ts";
import { sessionFolder } from "./open_session.ts";
import { writeExport } from "./session_export.ts";

/** A copy under a new id. Throws `RunFailure("session")` where nothing is kept yet. */
export async function copySession(
  session: Session,
  environment: RunEnvironment,
  notice: SessionOptions["notice"],
): Promise<OpenedSession> {
  const dir = await keptIn(session, environment);
  const { forkSession } = await import("../../session/fork_session.ts");
  const { host, workspace } = environment;
  return await forkSession(session.id, { dir, workspace, host, notice });
}

/** Writes the session to `file`, or to a page named after it; gives the path. Never replaces a file. */
export async function exportSession(
  session: Session,
  environment: RunEnvironment,
  file: string | undefined,
): Promise<string> {
  const dir = await keptIn(session, environment);
  const path = resolve(environment.workspace, file ?? `nimlet-${session.id}.html`);
  await writeExport(session.id, { dir, workspace: environment.workspace }, path);
  return path;
}

async function keptIn(session: Session, environment: RunEnvironment): Promise<string> {
  const dir = sessionFolder(environment);
  if (dir === undefined || !session.exists) {
    throw new RunFailure("session", "nothing is kept of this session yet");
  }
  await session.settle();
  return dir;
}
