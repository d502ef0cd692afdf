/** The lines that were sent earlier: newest first, kept in a file of one line each. */

export interface History {
  /** How many are kept. */
  readonly size: number;
  /** Newest first. */
  entries(): readonly string[];
  /** Adds a line at the front; blank lines, repetitions, and lines that start with a space are left out. */
  add(text: string): void;
}

/** Where the lines of earlier runs are. Neither function throws. */
export interface HistoryFile {
  /** The whole file; "" where there is none. */
  read(): string;
  append(line: string): void;
  /** Puts the file in order once it has grown. */
  replace(text: string): void;
}

export const historySize = 500;
const maxEntryChars = 100_000;

export function openHistory(file: HistoryFile | undefined): History {
  const lines = (file?.read() ?? "").split("\n").filter((line) => line.trim() !== "");
  const kept = lines.slice(-historySize);
  if (kept.length < lines.length) file?.replace(kept.map((line) => `${line}\n`).join(""));
  let fileLines = kept.length;
  const newest = kept.map(decodeEntry).reverse();
  return {
    size: historySize,
    entries: () => newest,
    add(text) {
      if (text.trim() === "" || text.startsWith(" ") || text === newest[0]) return;
      if (text.length > maxEntryChars) return;
      newest.unshift(text);
      newest.length = Math.min(newest.length, historySize);
      file?.append(`${encodeEntry(text)}\n`);
      if (++fileLines > historySize) {
        // other programs may have added lines of their own
        const all = (file?.read() ?? "").split("\n").filter((line) => line.trim() !== "");
        file?.replace(all.slice(-historySize).map((line) => `${line}\n`).join(""));
        fileLines = Math.min(all.length, historySize);
      }
    },
  };
}

/** One line: line feeds, other controls and backslashes are escaped. */
export function encodeEntry(text: string): string {
  return text.replace(/[\\\p{Cc}]/gu, (character) => {
    switch (character) {
      case "\\":
        return "\\\\";
      case "\n":
        return "\\n";
      case "\t":
        return "\t";
      default:
        return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    }
  });
}

export function decodeEntry(line: string): string {
  return line.replace(
    /\\(?:x([0-9a-f]{2})|(n)|(\\))/g,
    (_, code: string | undefined, feed: string | undefined) =>
      code ? String.fromCharCode(parseInt(code, 16)) : feed ? "\n" : "\\",
  );
}
