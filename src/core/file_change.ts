/** One change of a file by `edit` or `write`, with what is needed to show it and to take it back. */

export interface FileChange {
  /** Within the workspace, as it is shown. */
  readonly path: string;
  /** Within the workspace, with every link followed. */
  readonly realPath: string;
  /** What the file held; `none`: there was no file; `too large`: more than is kept. */
  readonly before: Uint8Array | "none" | "too large";
  readonly after: Uint8Array;
  /** Folders made for it, within the workspace, outermost first. */
  readonly foldersMade: readonly string[];
}
