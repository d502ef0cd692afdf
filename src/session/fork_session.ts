/** Copies a session under a new id, to go on from there in another direction. */
import { messageOf, RunFailure } from "../core/failure.ts";
import type { Json } from "../core/json.ts";
import { type AppendFile, openAppendFile } from "../host/append_file.ts";
import { moveFile, removeFile } from "../host/session_files.ts";
import { toLine } from "../lib/jsonl.ts";
import { findSession } from "./find_session.ts";
import { currentHeader, type SessionHeader } from "./history.ts";
import { readRecords } from "./read_records.ts";
import { checkHeader, type OpenedSession, openSession, type SessionOptions } from "./session.ts";
import { sessionPath } from "./session_folder.ts";
import { newSessionId } from "./session_id.ts";

/**
 * Copies the session that `ref` names, which may be in use, and opens the copy. Records of unknown
 * kinds go with it, lines that cannot be read do not. Throws `RunFailure("session")`.
 */
export async function forkSession(ref: string, options: SessionOptions): Promise<OpenedSession> {
  const source = findSession(ref, options);
  const now = options.host.clock.now();
  const id = newSessionId(now, (length) => options.host.randomId(length));
  const part = `${options.dir}/${id}.part`;
  try {
    using from = closing(openAppendFile(source, "existing"));
    using to = closing(openAppendFile(part, "create"));
    try {
      const original = checkHeader(await headerIn(from.file), source);
      const created = new Date(now).toISOString();
      const own = { id, workspace: options.workspace, created, forked_from: original.id };
      await copyRecords(from.file, to.file, { ...original, ...own });
      await to.file.sync();
      moveFile(part, sessionPath(options.dir, id));
    } catch (error) {
      removeFile(part);
      throw error;
    }
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    throw new RunFailure("session", `session ${source} cannot be copied: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return await openSession(id, options);
}

const batchChars = 1 << 20;

async function copyRecords(
  from: AppendFile,
  to: AppendFile,
  header: SessionHeader,
): Promise<void> {
  const encoder = new TextEncoder();
  let batch = "";
  const flush = () => {
    to.write(encoder.encode(batch));
    batch = "";
  };
  const take = (value: unknown) => {
    batch += toLine(value);
    if (batch.length >= batchChars) flush();
  };
  take(header);
  await readRecords(from.chunks(), {
    record(record) {
      if (record.kind !== "session") take(record);
    },
    unknown: (value: Json) => take(value),
  });
  flush();
}

async function headerIn(file: AppendFile): Promise<SessionHeader | undefined> {
  let header: SessionHeader | undefined;
  await readRecords(file.chunks(), {
    record(record) {
      if (record.kind === "session") header = currentHeader(header, record);
    },
  });
  return header;
}

function closing(file: AppendFile): { file: AppendFile } & Disposable {
  return { file, [Symbol.dispose]: () => file.close() };
}
