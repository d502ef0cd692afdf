/** Sessions as a run holds them: new, resumed, or not saved at all. */
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import type { Journal } from "../core/record.ts";
import { type AppendFile, openAppendFile } from "../host/append_file.ts";
import { isFolder } from "../host/folders.ts";
import { shellWord } from "../lib/shell_word.ts";
import { findSession } from "./find_session.ts";
import { endBytes } from "./list_sessions.ts";
import { historyBuilder, type RebuiltHistory, type SessionHeader } from "./history.ts";
import { journalFile, type JournalFileStart, type Notice } from "./journal_file.ts";
import { readRecords, type ReadReport } from "./read_records.ts";
import { cannotRead, sessionPath } from "./session_folder.ts";
import { newSessionId } from "./session_id.ts";
import { checkVersion, sessionVersion } from "./session_version.ts";

export interface SessionOptions {
  /** Absolute folder of the session files. */
  readonly dir: string;
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  readonly host: Pick<Host, "clock" | "randomId">;
  /** Told what a person should know: repairs, failures to save. */
  readonly notice: Notice;
}

export interface Session extends Journal {
  readonly id: string;
  /** The file, whether or not it is there yet; undefined for a session that is not saved. */
  readonly path?: string;
  /** True once the file holds a record. */
  readonly exists: boolean;
  /** Resolves when the record is in the file. Never throws: the run goes on without what it cannot save. */
  append: Journal["append"];
  /** For the end of a turn: waits until the records are on the disk. Never throws. */
  settle(): Promise<void>;
  /** Gives the file free for others. */
  close(): void;
}

export interface OpenedSession {
  readonly session: Session;
  /** Its notices hold those of reading, too. */
  readonly history: RebuiltHistory;
}

/** A new session. Its file is made with the first record: an empty conversation leaves none. */
export function createSession(options: SessionOptions): Session {
  const now = options.host.clock.now();
  const id = newSessionId(now, (length) => options.host.randomId(length));
  const header: SessionHeader = {
    kind: "session",
    version: sessionVersion,
    id,
    workspace: options.workspace,
    created: new Date(now).toISOString(),
  };
  const path = sessionPath(options.dir, id);
  return onFile({ ...startOf(options), id, path, header });
}

/** A session of which nothing is kept, for `--no-session`. */
export function unsavedSession(options: Pick<SessionOptions, "host">): Session {
  const { host } = options;
  return {
    id: newSessionId(host.clock.now(), (length) => host.randomId(length)),
    exists: false,
    append: () => Promise.resolve(),
    settle: () => Promise.resolve(),
    close() {},
  };
}

/**
 * Opens the session that `ref` names (an id, the start of one, or the path of a file) to go on with
 * it. Throws `RunFailure("session")` where there is none or several, where it belongs to another
 * workspace, is in use by another process, or cannot be read.
 */
export async function openSession(ref: string, options: SessionOptions): Promise<OpenedSession> {
  const path = findSession(ref, options.dir);
  const file = openFile(path);
  try {
    if (await file.lock() === "taken") {
      throw new RunFailure(
        "session",
        `session ${nameOf(path)} is in use by another process; ` +
          "wait for it to end, or start a new session",
      );
    }
    const stamp = file.stamp();
    const { history, report } = load(file, path);
    const header = checkHeader(history.header, path, options.workspace);
    const loaded = { file, stamp, report };
    const session = onFile(
      { ...startOf(options), id: header.id, path, header, loaded },
      history.name,
    );
    return { session, history };
  } catch (error) {
    file.close();
    throw error;
  }
}

function startOf(options: SessionOptions): Pick<JournalFileStart, "folder" | "now" | "notice"> {
  const { clock } = options.host;
  return { folder: options.dir, now: () => clock.now(), notice: options.notice };
}

/** `name` is that of a session that had one before it was opened. */
function onFile(start: JournalFileStart, name?: string): Session {
  const journal = journalFile(start);
  let named = name === undefined ? undefined : { name, endsAt: 0 };
  let grew = false;
  return {
    id: start.id,
    path: start.path,
    get exists() {
      return journal.exists;
    },
    async append(record) {
      await journal.append(record);
      grew = true;
      if (record.kind === "name") named = { name: record.name, endsAt: journal.bytes };
    },
    async settle() {
      // Lists look at the ends of a file only: the name has to stay near one of them.
      if (grew && named !== undefined && journal.bytes - named.endsAt > endBytes / 2) {
        await this.append({ kind: "name", name: named.name });
      }
      grew = false;
      await journal.sync();
    },
    close: () => journal.close(),
  };
}

function openFile(path: string): AppendFile {
  try {
    return openAppendFile(path, "existing");
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function load(file: AppendFile, path: string): { history: RebuiltHistory; report: ReadReport } {
  const builder = historyBuilder();
  let report: ReadReport;
  try {
    report = readRecords(file.chunks(), { record: (record) => builder.add(record) });
  } catch (error) {
    throw cannotRead(path, error);
  }
  const history = builder.finish();
  const notices = [...report.notices, ...history.notices];
  return { history: { ...history, notices }, report };
}

/** The first record, where the session belongs to `workspace`; throws `RunFailure("session")`. */
export function checkHeader(
  header: SessionHeader | undefined,
  path: string,
  workspace: string,
): SessionHeader {
  if (header === undefined) {
    throw new RunFailure(
      "session",
      `session ${path} does not say which folder it belongs to: ` +
        "its first line is missing or damaged",
    );
  }
  checkVersion(header, path);
  if (header.workspace !== workspace) {
    const whatToDo = isFolder(header.workspace)
      ? `this is ${workspace}: continue it there, with --cwd ${shellWord(header.workspace)}`
      : "that folder no longer exists: restore it, or begin a new session";
    throw new RunFailure(
      "session",
      `session ${header.id} belongs to ${header.workspace}; ${whatToDo}`,
    );
  }
  return header;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.jsonl$/, "");
}
