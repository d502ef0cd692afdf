/** Which session a run belongs to: a new one, one gone on with, or one that is not kept. */
import { join } from "node:path";
import { RunFailure } from "../../core/failure.ts";
import type { Message } from "../../core/message.ts";
import type { Usage } from "../../core/usage.ts";
import type { Selection } from "../../session/history.ts";
import type { Session, SessionOptions } from "../../session/session.ts";
import type { RunEnvironment } from "../environment.ts";
import type { RunOptions } from "../run_options.ts";

export interface ChosenSession {
  readonly session: Session;
  readonly messages: Message[];
  readonly selection: Selection;
  readonly resumed: boolean;
  readonly name?: string;
  /** Of all its answers so far. */
  readonly usage: Usage;
  readonly notices: readonly string[];
}

/** Throws `RunFailure("session")` where the wanted session cannot be gone on with. */
export async function chooseSession(
  runOptions: Pick<RunOptions, "noSession" | "session" | "resume">,
  environment: RunEnvironment,
  notice: SessionOptions["notice"],
): Promise<ChosenSession> {
  const { host, workspace } = environment;
  const { createSession, openSession, unsavedSession } = await import("../../session/session.ts");
  const fresh = (session: Session): ChosenSession => ({
    session,
    messages: [],
    selection: {},
    resumed: false,
    usage: {},
    notices: [],
  });
  const dir = sessionFolder(environment);
  if (runOptions.noSession || dir === undefined) return fresh(unsavedSession({ host }));
  const options: SessionOptions = { dir, workspace, host, notice };
  const ref = runOptions.session ?? (runOptions.resume ? await latest(dir, workspace) : undefined);
  if (ref === undefined) return fresh(createSession(options));
  const { session, history } = await openSession(ref, options);
  return {
    session,
    messages: history.messages,
    selection: history.selection,
    resumed: true,
    usage: history.usage,
    ...(history.name === undefined ? {} : { name: history.name }),
    notices: history.notices,
  };
}

/** Where sessions are kept; undefined without a home. */
export function sessionFolder({ config, nimletHome }: RunEnvironment): string | undefined {
  return config.settings["agent.session_dir"] ??
    (nimletHome === undefined ? undefined : join(nimletHome, "sessions"));
}

async function latest(dir: string, workspace: string): Promise<string> {
  const { latestSession } = await import("../../session/list_sessions.ts");
  const summary = latestSession(dir, workspace);
  if (summary) return summary.id;
  throw new RunFailure(
    "session",
    `--resume: there is no session of ${workspace} yet; start one without --resume`,
  );
}
