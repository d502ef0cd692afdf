/** Which session a run belongs to: a new one, one that is resumed, or one that is not kept. */
import { join } from "node:path";
import { RunFailure } from "../../core/failure.ts";
import { kindAt } from "../../host/folders.ts";
import type { OpenedSession, Session, SessionOptions } from "../../session/session.ts";
import type { RunEnvironment } from "../environment.ts";
import type { RunOptions } from "../run_options.ts";

/** Throws `RunFailure("session")` where the wanted session cannot be resumed. */
export async function chooseSession(
  { noSession, session, resume, name }: Pick<
    RunOptions,
    "noSession" | "session" | "resume" | "name"
  >,
  environment: RunEnvironment,
  notice: SessionOptions["notice"],
): Promise<OpenedSession> {
  const { host, workspace } = environment;
  const { createSession, openSession, unsavedSession } = await import("../../session/session.ts");
  const dir = sessionFolder(environment);
  if (name !== undefined) checkName(name);
  if (noSession || dir === undefined) return fresh(unsavedSession({ host }), name);
  const options: SessionOptions = { dir, workspace, host, notice };
  const ref = session ?? (resume ? await latest(dir, workspace) : undefined);
  return ref === undefined
    ? fresh(createSession(options, name), name)
    : await openSession(ref, options);
}

function fresh(session: Session, name?: string): OpenedSession {
  return {
    session,
    history: {
      messages: [],
      selection: {},
      usage: {},
      extensions: [],
      notices: [],
      ...(name === undefined ? {} : { name }),
    },
  };
}

const maxNameChars = 200;

/** Throws `RunFailure("usage")` for a name that lists could not show or find. */
export function checkName(name: string): void {
  const found = name.length > maxNameChars
    ? `${name.length} characters`
    : /\p{Cc}/u.test(name)
    ? "a line end or control character"
    : undefined;
  if (found === undefined) return;
  throw new RunFailure(
    "usage",
    `a session's name: expected one line of at most ${maxNameChars} characters, found ${found}`,
  );
}

/** Where sessions are kept; undefined without a home. */
export function sessionFolder({ config, nimletHome }: RunEnvironment): string | undefined {
  return config.settings["agent.session_dir"] ??
    (nimletHome === undefined ? undefined : join(nimletHome, "sessions"));
}

async function latest(dir: string, workspace: string): Promise<string> {
  const { latestSession, listSessions } = await import("../../session/list_sessions.ts");
  const summary = latestSession(dir, workspace);
  if (summary) return summary.id;
  const gone = listSessions(dir).find((session) => kindAt(session.workspace) === "missing");
  throw new RunFailure(
    "session",
    `--resume: there is no session of ${workspace} yet; start one without --resume` +
      (gone === undefined
        ? ""
        : `, or continue that of ${gone.workspace}, which no longer exists, with --session ${gone.id}`),
  );
}
