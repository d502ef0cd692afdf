/** Finds the file of a session by what a person wrote: an id, its start, a name, or a path. */
import { basename, dirname, resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import { filesOf } from "../host/session_files.ts";
import { listSessions } from "./list_sessions.ts";
import { sessionFileNames, sessionPath, suffix } from "./session_folder.ts";
import { looksLikeId } from "./session_id.ts";

/** Where sessions are looked for. */
export interface SessionPlace {
  /** Absolute folder of the session files. */
  readonly dir: string;
  /** Absolute real path of the workspace: a name means one of its own sessions first. */
  readonly workspace: string;
}

/**
 * The file of the session that `ref` names: a path where it holds a slash or ends in `.jsonl` and is
 * there, an id, a name, or the start of an id, in this order. Throws `RunFailure("session")` where
 * there is none, or several.
 */
export function findSession(ref: string, place: SessionPlace): string {
  const isPath = /[/\\]/.test(ref) || ref.endsWith(suffix);
  if (isPath && isFile(resolve(ref))) return resolve(ref);
  const { dir } = place;
  const wanted = ref.trim().toLowerCase();
  const ids = looksLikeId(wanted) ? idsIn(dir) : [];
  if (ids.includes(wanted)) return sessionPath(dir, wanted);
  const named = withName(ref.trim(), place);
  if (named.length > 0) return sessionPath(dir, theOnly(named, `are named ${quoted(ref)}`));
  const matches = looksLikeId(wanted) ? idsThatStart(wanted, dir) : [];
  if (matches.length > 0) {
    return sessionPath(dir, theOnly(matches, `start with ${quoted(ref)}`));
  }
  throw new RunFailure(
    "session",
    isPath
      ? `there is no session file ${quoted(ref)}, and no session of that name in ${dir}`
      : `there is no session ${quoted(ref)} in ${dir}; --list-sessions --all shows what there is`,
  );
}

/** Ids that begin with `start`, newest first. */
export function idsThatStart(start: string, dir: string): string[] {
  const wanted = start.toLowerCase();
  return idsIn(dir).filter((id) => id.startsWith(wanted)).sort().reverse();
}

function idsIn(dir: string): string[] {
  return sessionFileNames(dir).map((name) => name.slice(0, -suffix.length));
}

/** Those of the workspace, else those of any, last used first. */
function withName(name: string, { dir, workspace }: SessionPlace): string[] {
  const named = listSessions(dir).filter((session) => session.name?.trim() === name);
  const here = named.filter((session) => session.workspace === workspace);
  return (here.length > 0 ? here : named).map(({ path }) => basename(path, suffix));
}

const maxShown = 5;

function theOnly(ids: readonly string[], what: string): string {
  if (ids.length === 1) return ids[0]!;
  const shown = ids.slice(0, maxShown).join(", ");
  throw new RunFailure(
    "session",
    `${ids.length} sessions ${what} (${
      ids.length > maxShown ? "the newest: " : ""
    }${shown}); give the whole id of one`,
  );
}

function isFile(path: string): boolean {
  return filesOf(dirname(path), [basename(path)]).length === 1;
}

function quoted(ref: string): string {
  return JSON.stringify(ref);
}
