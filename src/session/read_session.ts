/** Reads a session without going on with it, for exports. */
import type { SessionRecord } from "../core/record.ts";
import { openAppendFile } from "../host/append_file.ts";
import { findSession, type SessionPlace } from "./find_session.ts";
import { readRecords } from "./read_records.ts";
import { cannotRead } from "./session_folder.ts";
import { checkVersion } from "./session_version.ts";

export interface ReadSession {
  readonly path: string;
  readonly records: SessionRecord[];
  /** What could not be read, one sentence each. */
  readonly notices: readonly string[];
}

/**
 * Every record of the session that `ref` names, of any workspace, also while it is in use.
 * Throws `RunFailure("session")`.
 */
export async function readSession(ref: string, place: SessionPlace): Promise<ReadSession> {
  const path = findSession(ref, place);
  const records: SessionRecord[] = [];
  const notices = await readInto(records, path);
  const header = records.find((record) => record.kind === "session");
  if (header !== undefined) checkVersion(header, path);
  return { path, records, notices };
}

async function readInto(records: SessionRecord[], path: string): Promise<readonly string[]> {
  try {
    const file = openAppendFile(path, "existing");
    try {
      const reader = { record: (record: SessionRecord) => void records.push(record) };
      return (await readRecords(file.chunks(), reader)).notices;
    } finally {
      file.close();
    }
  } catch (error) {
    throw cannotRead(path, error);
  }
}
