/** Notices that a settings file says something else of hooks than when it was read. */
import { basename } from "node:path";
import { isJsonObject, parseJson } from "../core/json.ts";
import { readStateFile } from "../host/state_files.ts";

const maxFileBytes = 1024 * 1024;

/** Gives the function that says so, once: the hooks in force stay until they are read again. */
export function settingsWatch(files: readonly string[]): () => readonly string[] {
  const before = new Map(files.map((file) => [file, hooksIn(file)]));
  let isTold = false;
  return () => {
    if (isTold) return [];
    const changed = [...before].filter(([file, text]) => hooksIn(file) !== text)
      .map(([file]) => basename(file));
    if (changed.length === 0) return [];
    isTold = true;
    return [`${changed.join(", ")} has changed; /reload takes it`];
  };
}

/** What counts of the file; all of it where it is no plain JSON. */
function hooksIn(file: string): string {
  const read = readStateFile(file, maxFileBytes);
  if (read.kind !== "text") return read.kind;
  const value = parseJson(read.text.replace(/^\ufeff/, ""));
  if (!isJsonObject(value)) return read.text;
  return JSON.stringify([value.hooks, value.hook_files, value.disableAllHooks]);
}
