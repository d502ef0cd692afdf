/** Copies of the current session: one to go on with, and a page to read. */
import { resolve } from "node:path";
import { messageOf, RunFailure } from "../../core/failure.ts";
import { kindAt } from "../../host/folders.ts";
import type { OpenedSession, Session, SessionOptions } from "../../session/session.ts";
import type { RunEnvironment } from "../environment.ts";
import { sessionFolder } from "./open_session.ts";

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

/** Writes a page to `file`, or one named after the session; gives its path. Never replaces a file. */
export async function exportSession(
  session: Session,
  environment: RunEnvironment,
  file: string | undefined,
): Promise<string> {
  const dir = await keptIn(session, environment);
  const path = resolve(environment.workspace, file ?? `nimlet-${session.id}.html`);
  if (kindAt(path) !== "missing") {
    throw new RunFailure("usage", `${path} is there already; name another file`);
  }
  const { readSession } = await import("../../session/read_session.ts");
  const { exportHtml } = await import("../../session/export_html.ts");
  const { writeStateFile } = await import("../../host/state_files.ts");
  const page = exportHtml(readSession(session.id, dir).records);
  try {
    await writeStateFile(path, page);
  } catch (error) {
    throw new RunFailure("output", `${path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
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
