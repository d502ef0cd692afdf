/** Sessions as a run holds them: new, resumed, or not saved at all. */
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import type { Journal, SessionRecord } from "../core/record.ts";
import { type AppendFile, openAppendFile } from "../host/append_file.ts";
import { factsOf } from "../host/folders.ts";
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

/**
 * A new session. Its file is made with the first record, which `name` goes before: an empty
 * conversation leaves none.
 */
export function createSession(options: SessionOptions, name?: string): Session {
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
  return onFile({ ...startOf(options), id, path, header }, {
    first: name === undefined ? undefined : { kind: "name", name },
  });
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
 * Opens the session that `ref` names (see `findSession`) to go on with it. One of another folder
 * moves to the workspace with its next record, and a notice names both. Throws
 * `RunFailure("session")` where there is none or several, where it is in use by another process, or
 * cannot be read.
 */
export async function openSession(ref: string, options: SessionOptions): Promise<OpenedSession> {
  const path = findSession(ref, options);
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
    const { history, report } = await load(file, path);
    const { workspace } = options;
    const begun = checkHeader(history.header, path);
    const header = { ...begun, workspace };
    const loaded = { file, stamp, report };
    const session = onFile({ ...startOf(options), id: header.id, path, header, loaded }, {
      name: history.name,
      first: begun.workspace === workspace ? undefined : header,
      moved: begun.workspace === workspace && history.moved === true,
    });
    if (begun.workspace === workspace) return { session, history };
    const gone = factsOf(begun.workspace).kind === "missing" ? ", which no longer exists" : "";
    const moved = `session ${header.id} was in ${begun.workspace}${gone}; ` +
      `from here on it is in ${workspace}, and its tools work there`;
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

interface Opening {
  /** Its name in the file. */
  readonly name?: string | undefined;
  /** True where the file says that it has moved to the folder in the header. */
  readonly moved?: boolean;
  /** What is to be recorded before all else: a name, or the folder that it moves to. */
  readonly first?: SessionRecord | undefined;
}

function onFile(start: JournalFileStart, opened: Opening): Session {
  const journal = journalFile(start);
  /** What lists look for: at the ends of a file only, so it has to stay near one of them. */
  const listed = new Map<string, { readonly record: SessionRecord; readonly endsAt: number }>();
  if (opened.name !== undefined) {
    listed.set("name", { record: { kind: "name", name: opened.name }, endsAt: 0 });
  }
  if (opened.moved) listed.set("session", { record: start.header, endsAt: 0 });
  let grew = false, { first } = opened;
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
      if (first !== undefined) {
        const before = first;
        first = undefined;
        await write(before);
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

async function load(
  file: AppendFile,
  path: string,
): Promise<{ history: RebuiltHistory; report: ReadReport }> {
  const builder = historyBuilder();
  let report: ReadReport;
  try {
    report = await readRecords(file.chunks(), { record: (record) => builder.add(record) });
  } catch (error) {
    throw cannotRead(path, error);
  }
  const history = builder.finish();
  const notices = [...report.notices, ...history.notices];
  return { history: { ...history, notices }, report };
}

/** What a session's records say of it. Throws `RunFailure("session")` where they say nothing. */
export function checkHeader(header: SessionHeader | undefined, path: string): SessionHeader {
  if (header === undefined) {
    throw new RunFailure(
      "session",
      `session ${path} does not say which folder it belongs to: ` +
        "its first line is missing or damaged",
    );
  }
  checkVersion(header, path);
  return header;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.jsonl$/, "");
}
