/** Deletes a session: its file, and what was kept beside it when it was repaired. */
import { basename, dirname, resolve } from "node:path";
import { messageOf, RunFailure } from "../core/failure.ts";
import { openAppendFile } from "../host/append_file.ts";
import { namesIn, removeFile } from "../host/session_files.ts";
import { findSession, type SessionPlace } from "./find_session.ts";
import { suffix } from "./session_folder.ts";

/** Fewer characters of an id could be a slip. */
const minIdChars = 8;

/**
 * Deletes the session that `ref` names and gives its id. Throws `RunFailure` where there is none or
 * several, where a process works with it, or where it lies outside the folder of sessions.
 */
export async function deleteSession(ref: string, place: SessionPlace): Promise<string> {
  const path = findSession(ref, place);
  const id = basename(path, suffix);
  if (resolve(dirname(path)) !== resolve(place.dir)) {
    throw new RunFailure("usage", `expected a session in ${place.dir} to delete, found ${path}`);
  }
  const wanted = ref.trim().toLowerCase();
  if (wanted.length < minIdChars && wanted !== id && id.startsWith(wanted)) {
    throw new RunFailure(
      "usage",
      `expected at least ${minIdChars} characters of the id of a session to delete, found ` +
        `${JSON.stringify(ref)}, with which ${id} begins`,
    );
  }
  try {
    const file = openAppendFile(path, "existing");
    try {
      if (await file.lock() === "taken") {
        throw new RunFailure(
          "session",
          `session ${id} is in use by another process; delete it when that has ended`,
        );
      }
      const repaired = namesIn(place.dir, "").filter((name) =>
        name.startsWith(`${id}${suffix}.recovery-`)
      );
      for (const name of [basename(path), ...repaired]) removeFile(`${place.dir}/${name}`);
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    throw new RunFailure("session", `session ${id} cannot be deleted: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return id;
}
