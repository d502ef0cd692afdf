/** The runs that look after kept sessions: --list-sessions, --export-session, --delete-session. */
import { resolve } from "node:path";
import { openEnvironment, type RunEnvironment } from "../app/environment.ts";
import { sessionFolder } from "../app/session/open_session.ts";
import { exitStatus, RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { sessionEntry } from "../core/session_manager.ts";
import { toLine } from "../lib/jsonl.ts";
import { oneLine } from "../lib/one_line.ts";
import { visible } from "../lib/visible.ts";
import type { SessionSummary } from "../session/list_sessions.ts";
import type { Options } from "./command_line.ts";

export async function runSessionCommand(
  options: Options,
  host: Host,
  signal: AbortSignal,
): Promise<number> {
  const environment = await openEnvironment(options, host, undefined, signal);
  const note = (text: string) => host.terminal.writeErr(`nimlet: ${visible(text)}\n`);
  for (const notice of environment.notices) await note(notice);
  const json = options.mode !== undefined;
  const { writeOut } = host.terminal;
  const place = placeOf(environment);
  if (options.exportSession !== undefined) {
    const { writeExport } = await import("../app/session/session_export.ts");
    const path = resolve(host.env.cwd, options.words[0]!);
    const notices = await writeExport(options.exportSession, place, path);
    for (const notice of notices) await note(notice);
    await writeOut(json ? toLine({ exported: path }) : `${path}\n`);
    return exitStatus.done;
  }
  if (options.deleteSession !== undefined) {
    const { deleteSession } = await import("../session/delete_session.ts");
    const id = await deleteSession(options.deleteSession, place);
    await writeOut(json ? toLine({ deleted: id }) : `${id}\n`);
    return exitStatus.done;
  }
  const { listSessions } = await import("../session/list_sessions.ts");
  const { dir, workspace } = place;
  const sessions = listSessions(dir, options.all ? {} : { workspace });
  if (json) await writeOut(toLine({ sessions: sessions.map(sessionEntry) }));
  else if (sessions.length > 0) {
    await writeOut(sessions.map((session) => sessionLine(session, options.all)).join(""));
  } else {
    await note(
      options.all
        ? `there is no session in ${dir} yet`
        : `there is no session of ${workspace} yet; --all lists those of every folder`,
    );
  }
  return exitStatus.done;
}

function placeOf(environment: RunEnvironment) {
  const dir = sessionFolder(environment);
  if (dir !== undefined) return { dir, workspace: environment.workspace };
  throw new RunFailure(
    "config",
    "no sessions are kept: expected HOME or NIMLET_HOME, or agent.session_dir, found none of them",
  );
}

const maxTitleChars = 80;

/** For a person: id, when it was last used, its folder where that may differ, name or first prompt. */
function sessionLine(session: SessionSummary, withFolder: boolean): string {
  const { id, updatedMs, workspace, name, prompt = "" } = session;
  const when = new Date(updatedMs).toISOString().slice(0, 16).replace("T", " ");
  const columns = [
    id,
    when,
    ...withFolder ? [visible(workspace)] : [],
    oneLine(name ?? prompt, maxTitleChars),
  ];
  return `${columns.join("  ").trimEnd()}\n`;
}
