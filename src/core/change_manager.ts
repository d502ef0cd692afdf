/** What a front end may do with the changes that `edit` and `write` made in the current session. */

export interface UndoFile {
  /** Within the workspace. */
  readonly path: string;
  /** restore: it gets its content back · remove: there was no such file */
  readonly action: "restore" | "remove";
}

/** A file, or a part of its changes, that stays as it is. */
export interface KeptFile {
  readonly path: string;
  /** As in `src/a.ts: changed since`. */
  readonly reason: string;
}

export interface Undo {
  /** The start of the turn's prompt, on one line. */
  readonly prompt: string;
  readonly files: readonly UndoFile[];
  readonly kept: readonly KeptFile[];
}

/** Every method may throw `RunFailure`. What commands changed is not known here. */
export interface ChangeManager {
  /** What edit and write changed in this session, as one unified diff; "" for nothing. */
  diff(): Promise<string>;
  /** What `undo` would do now: with the last turn that changed files and was not taken back. */
  plannedUndo(): Promise<Undo | undefined>;
  /**
   * Takes back that turn's changes of files that still are as nimlet left them, and tells the model with
   * the next prompt. Gives what was done; undefined where there is no such turn.
   */
  undo(): Promise<Undo | undefined>;
}
