/** The bracketed lines that end the results of grep and glob: what was left out, and why. */
import { shownWhole } from "../lib/shown_path.ts";
import type { LeftOut } from "../search/walk/left_out.ts";
import { counted } from "./file_result.ts";

/** Notes that always belong to a result: what could not be looked at. */
export function faultNotes(leftOut: LeftOut): string[] {
  const notes: string[] = [];
  if (leftOut.unreadableFolderCount > 0) {
    notes.push(`[${counted(leftOut.unreadableFolderCount, "folder")} could not be read]`);
  }
  if (leftOut.oddNameCount > 0) {
    const names = leftOut.oddNames.map((name) => shownWhole(name)).join(", ");
    const more = moreThan(leftOut.oddNameCount, leftOut.oddNames.length);
    notes.push(`[names that are not UTF-8, which no tool can open: ${names}${more}]`);
  }
  return notes;
}

/** Notes for a result without hits: where hits could still be. */
export function leftOutNotes(leftOut: LeftOut): string[] {
  const notes: string[] = [];
  if (leftOut.folderCount > 0) {
    notes.push(
      `[not searched, as excluded or ignored: ${folderNames(leftOut)}; name one to search it]`,
    );
  }
  if (leftOut.trackedFileCount > 0) {
    notes.push(`[not searched, as ignored, though git tracks them: ${trackedNames(leftOut)}]`);
  }
  if (leftOut.ignoredFileCount > 0) {
    notes.push(`[${counted(leftOut.ignoredFileCount, "ignored file")} not searched]`);
  }
  if (leftOut.ownFolder !== undefined) {
    notes.push(`[not searched, as it is nimlet's own folder: ${shownWhole(leftOut.ownFolder)}]`);
  }
  return notes;
}

/** The same in one line, for a result with hits; `others` are further clauses. */
export function leftOutLine(leftOut: LeftOut, others: readonly string[] = []): string[] {
  const clauses: string[] = [];
  if (leftOut.folderCount > 0) clauses.push(`excluded or ignored: ${folderNames(leftOut)}`);
  if (leftOut.trackedFileCount > 0) {
    clauses.push(`ignored, though git tracks them: ${trackedNames(leftOut)}`);
  }
  if (leftOut.ignoredFileCount > 0) {
    clauses.push(counted(leftOut.ignoredFileCount, "ignored file"));
  }
  if (leftOut.ownFolder !== undefined) {
    clauses.push(`nimlet's own folder: ${shownWhole(leftOut.ownFolder)}`);
  }
  clauses.push(...others);
  return clauses.length === 0 ? [] : [`[left out: ${clauses.join("; ")}]`];
}

/** Those first that hold what git tracks, or may. */
function folderNames({ trackedFolders, unignored, folders, folderCount }: LeftOut): string {
  const names = [
    ...trackedFolders.map((path) => `${shownWhole(path)} (holds tracked files)`),
    ...unignored.map((path) => `${shownWhole(path)} (not ignored)`),
    ...folders.map((path) => shownWhole(path)),
  ];
  return `${names.join(", ")}${moreThan(folderCount, names.length)}`;
}

function trackedNames({ trackedFiles, trackedFileCount }: LeftOut): string {
  const names = trackedFiles.map((path) => shownWhole(path));
  return `${names.join(", ")}${moreThan(trackedFileCount, names.length)}`;
}

function moreThan(count: number, shown: number): string {
  return count > shown ? `, and ${count - shown} more` : "";
}
