/** Sessions as a run holds them: new, resumed, or not saved at all. */
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import type { Journal, SessionRecord } from "../core/record.ts";
import { type AppendFile, openAppendFile } from "../host/append_file.ts";
import { factsOf } from "../host/folders.ts";
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
 * it. One whose folder no longer exists moves to the workspace with its next record. Throws
 * `RunFailure("session")` where there is none or several, where it belongs to another workspace, is
 * in use by another process, or cannot be read.
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
    const { workspace } = options;
    const begun = checkHeader(history.header, path, workspace);
    const header = { ...begun, workspace };
    const loaded = { file, stamp, report };
    const session = onFile({ ...startOf(options), id: header.id, path, header, loaded }, {
      name: history.name,
      moved: begun.workspace !== workspace ? "now" : history.moved ? "before" : undefined,
    });
    if (begun.workspace === workspace) return { session, history };
    const moved = `session ${header.id} was in ${begun.workspace}, which no longer exists; ` +
      `from here on it is in ${workspace}`;
    return { session, history: { ...history, header, notices: [moved, ...history.notices] } };
  } catch (error) {
    file.close();
    throw error;
  }
}

function startOf(options: SessionOptions): Pick<JournalFileStart, "folder" | "now" | "notice"> {
  const { clock } = options.host;
  return { folder: options.dir, now: () => clock.now(), notice: options.notice };
}

/**
 * `opened` is what was known of a session when it was opened: its name, and whether it has moved to
 * the folder in `start.header`, before or by being opened.
 */
function onFile(
  start: JournalFileStart,
  opened: { readonly name?: string | undefined; readonly moved?: "now" | "before" | undefined } =
    {},
): Session {
  const journal = journalFile(start);
  /** What lists look for: at the ends of a file only, so it has to stay near one of them. */
  const listed = new Map<string, { readonly record: SessionRecord; readonly endsAt: number }>();
  if (opened.name !== undefined) {
    listed.set("name", { record: { kind: "name", name: opened.name }, endsAt: 0 });
  }
  if (opened.moved === "before") listed.set("session", { record: start.header, endsAt: 0 });
  let grew = false, moves = opened.moved === "now";
  const write = async (record: SessionRecord) => {
    await journal.append(record);
    if (record.kind !== "name" && record.kind !== "session") return;
    listed.set(record.kind, { record, endsAt: journal.bytes });
  };
  return {
    id: start.id,
    path: start.path,
    get exists() {
      return journal.exists;
    },
    async append(record) {
      grew = true;
      if (moves) {
        moves = false;
        await write(start.header);
      }
      await write(record);
    },
    async settle() {
      for (const { record, endsAt } of grew ? [...listed.values()] : []) {
        if (journal.bytes - endsAt > endBytes / 2) await write(record);
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

/**
 * What a session's records say of it, where it belongs to `workspace`, or to a folder that no longer
 * exists. Throws `RunFailure("session")`.
 */
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
  if (header.workspace === workspace) return header;
  const { kind } = factsOf(header.workspace);
  if (kind === "missing") return header;
  const whatToDo = kind === "folder"
    ? `this is ${workspace}: continue it there, with --cwd ${shellWord(header.workspace)}`
    : "that is no folder that can be looked at: restore it, or begin a new session";
  throw new RunFailure(
    "session",
    `session ${header.id} belongs to ${header.workspace}; ${whatToDo}`,
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.jsonl$/, "");
}
