/** Takes the last turn's changes back, of files that still are as nimlet left them. */
import type { Undo } from "../core/change_manager.ts";
import type { FileBounds } from "../core/file_bounds.ts";
import type { FileChange } from "../core/file_change.ts";
import { type NodeFiles, nodeFiles } from "../host/files/node_files.ts";
import {
  reasonOf,
  removeWritten,
  restoreWritten,
  stateOfWritten,
  type Written,
} from "../host/files/take_back.ts";
import { oneLine } from "../lib/one_line.ts";
import type { ChangeLog, Turn } from "./change_log.ts";

/** What would be done; undefined where no turn is left that changed files. */
export async function plannedUndo(log: ChangeLog, bounds: FileBounds): Promise<Undo | undefined> {
  const turn = lastTurn(log);
  return turn && undoOf(turn, steps(turn, bounds, await nodeFiles()));
}

/** Does it, and takes it out of the log. */
export async function undo(log: ChangeLog, bounds: FileBounds): Promise<Undo | undefined> {
  const turn = lastTurn(log);
  if (turn === undefined) return undefined;
  const node = await nodeFiles();
  const done = steps(turn, bounds, node).map((step) => takeBack(step, bounds, node));
  log.takeBack(turn, done.flatMap(({ change, kept }) => kept === undefined ? [change] : []));
  return undoOf(turn, done);
}

/** One change, and why it stays where it does. */
interface Step {
  readonly change: FileChange;
  readonly kept?: string | undefined;
}

function lastTurn({ turns }: ChangeLog): Turn | undefined {
  return turns.findLast(({ undone }) => !undone);
}

function steps(turn: Turn, bounds: FileBounds, node: NodeFiles): Step[] {
  const last = new Map(turn.changes.map((change) => [change.realPath, change]));
  return turn.changes.map((change) => {
    if (last.get(change.realPath) !== change) {
      return { change, kept: "an earlier change of it, as something else changed it after that" };
    }
    if (change.before === "too large") return { change, kept: "it was too large to keep" };
    const state = stateOfWritten(node, writtenBy(change, bounds));
    return { change, ...state === "same" ? {} : { kept: state } };
  });
}

function takeBack(step: Step, bounds: FileBounds, node: NodeFiles): Step {
  const { change } = step;
  if (step.kept !== undefined) return step;
  try {
    const written = writtenBy(change, bounds);
    if (change.before === "none") removeWritten(node, written, change.foldersMade);
    else restoreWritten(node, written, change.before as Uint8Array);
    return step;
  } catch (error) {
    return { change, kept: reasonOf(error) };
  }
}

function writtenBy({ realPath, after }: FileChange, bounds: FileBounds): Written {
  return { bounds, path: realPath, content: after };
}

function undoOf({ prompt, forgotten }: Turn, all: readonly Step[]): Undo {
  return {
    prompt: oneLine(prompt, 60),
    files: all.flatMap(({ change: { path, before }, kept }) =>
      kept === undefined ? [{ path, action: before === "none" ? "remove" : "restore" }] : []
    ),
    kept: [
      ...all.flatMap(({ change, kept }) =>
        kept === undefined ? [] : [{ path: change.path, reason: kept }]
      ),
      ...[...forgotten].map((path) => ({ path, reason: "its changes were too many to keep" })),
    ],
  };
}
