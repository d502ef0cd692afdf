/** What a search left out, for the notes at the end of its result. */

/** By path as shown; of each list the first few. */
export interface LeftOut {
  /** Excluded and ignored folders that hold files which git tracks. */
  readonly trackedFolders: string[];
  /** Folders excluded by their name alone, which no rule ignores. */
  readonly unignored: string[];
  /** Other excluded and ignored folders. */
  readonly folders: string[];
  /** Of all three. */
  folderCount: number;
  /** Ignored files that git tracks all the same, as after `git add -f`. */
  readonly trackedFiles: string[];
  trackedFileCount: number;
  /** Other ignored files. */
  ignoredFileCount: number;
  /** nimlet's own folder, where it would have been searched. */
  ownFolder: string | undefined;
  unreadableFolderCount: number;
  /** Names that are not UTF-8 cannot be opened. */
  readonly oddNames: string[];
  oddNameCount: number;
}

export function nothingLeftOut(): LeftOut {
  return {
    trackedFolders: [],
    unignored: [],
    folders: [],
    folderCount: 0,
    trackedFiles: [],
    trackedFileCount: 0,
    ignoredFileCount: 0,
    ownFolder: undefined,
    unreadableFolderCount: 0,
    oddNames: [],
    oddNameCount: 0,
  };
}

const maxNamed = 5, maxNotable = 20;

export function leaveOutFolder(
  leftOut: LeftOut,
  path: string,
  why: "tracked" | "excluded" | "ignored",
): void {
  leftOut.folderCount++;
  if (why === "ignored") keep(leftOut.folders, path, maxNamed);
  else keep(why === "tracked" ? leftOut.trackedFolders : leftOut.unignored, path, maxNotable);
}

export function leaveOutFile(leftOut: LeftOut, path: string, isTracked: boolean): void {
  if (!isTracked) leftOut.ignoredFileCount++;
  else {
    leftOut.trackedFileCount++;
    keep(leftOut.trackedFiles, path, maxNotable);
  }
}

export function leaveOutOddName(leftOut: LeftOut, path: string): void {
  leftOut.oddNameCount++;
  keep(leftOut.oddNames, path, maxNamed);
}

function keep(list: string[], path: string, most: number): void {
  if (list.length < most) list.push(path);
}
