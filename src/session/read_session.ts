/** Reading a session without going on with it, for exports. */
import type { SessionRecord } from "../core/record.ts";
import { openAppendFile } from "../host/append_file.ts";
import { findSession } from "./find_session.ts";
import { readRecords } from "./read_records.ts";
import { cannotRead } from "./session_folder.ts";

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
export function readSession(ref: string, dir: string): ReadSession {
  const path = findSession(ref, dir);
  const records: SessionRecord[] = [];
  try {
    const file = openAppendFile(path, "existing");
    try {
      const report = readRecords(file.chunks(), { record: (record) => records.push(record) });
      return { path, records, notices: report.notices };
    } finally {
      file.close();
    }
  } catch (error) {
    throw cannotRead(path, error);
  }
}
