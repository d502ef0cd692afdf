/** Finds the file of a session by what a person wrote: an id, its start, or a path. */
import { basename, dirname, resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import { filesOf } from "../host/session_files.ts";
import { sessionFileNames, sessionPath, suffix } from "./session_folder.ts";
import { looksLikeId } from "./session_id.ts";

/**
 * The file of the session that `ref` names: a path where it holds a slash or ends in `.jsonl`, else
 * an id or the start of one. Throws `RunFailure("session")` where there is none, or several.
 */
export function findSession(ref: string, dir: string): string {
  if (/[/\\]/.test(ref) || ref.endsWith(suffix)) return findFile(resolve(ref), ref);
  const wanted = ref.trim().toLowerCase();
  if (!looksLikeId(wanted)) throw none(ref, dir);
  const ids = sessionFileNames(dir).map((name) => name.slice(0, -suffix.length));
  if (ids.includes(wanted)) return sessionPath(dir, wanted);
  const matches = ids.filter((id) => id.startsWith(wanted)).sort();
  const [match] = matches;
  if (match === undefined) throw none(ref, dir);
  if (matches.length === 1) return sessionPath(dir, match);
  const shown = matches.slice(-5).join(", ");
  throw new RunFailure(
    "session",
    `${matches.length} sessions start with ${JSON.stringify(ref)} (${
      matches.length > 5 ? "the newest: " : ""
    }${shown}); give more of the id`,
  );
}

function findFile(path: string, ref: string): string {
  if (filesOf(dirname(path), [basename(path)]).length === 1) return path;
  throw new RunFailure("session", `there is no session file ${JSON.stringify(ref)}`);
}

function none(ref: string, dir: string): RunFailure {
  return new RunFailure("session", `there is no session ${JSON.stringify(ref)} in ${dir}`);
}
