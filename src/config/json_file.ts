/** Reads JSON files that people write: comments are allowed, every fault is a clear sentence. */
import { RunFailure } from "../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { readStateFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";

const maxFileBytes = 1024 * 1024;
const maxDepth = 100;

export interface JsonFile {
  readonly value: JsonObject;
  readonly text: string;
  /** Permission bits; undefined where the system has none. */
  readonly mode: number | undefined;
}

/**
 * The object in the file at `path`; undefined where there is no file. An empty file is `{}`.
 * Throws `RunFailure("config")` naming the file where it is no such object.
 */
export async function readJsonFile(path: string): Promise<JsonFile | undefined> {
  const file = readStateFile(path, maxFileBytes);
  if (file.kind === "missing") return undefined;
  if (file.kind === "unreadable") throw new RunFailure("config", `${path} ${file.reason}`);
  const { text, mode } = file;
  const value = await parse(path, text);
  if (!isJsonObject(value)) {
    const found = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
    throw new RunFailure("config", `${path}: expected an object in braces, found ${found}`);
  }
  if (!isWithinDepth(value)) {
    throw new RunFailure("config", `${path}: expected at most ${maxDepth} levels, found more`);
  }
  return { value, text, mode };
}

/** The line of `path` in `text`, from 1; undefined where it is unknown. */
export async function lineOf(text: string, path: readonly string[]): Promise<number | undefined> {
  const { lineOfKey } = await import("../lib/jsonc.ts");
  return lineOfKey(text, path);
}

async function parse(path: string, text: string): Promise<Json> {
  // a byte order mark counts as white space here
  if (text.trim() === "") return {};
  const parsed = await parseLenient(text);
  if ("value" in parsed) return parsed.value;
  const { problem } = parsed;
  throw new RunFailure(
    "config",
    problem === undefined
      ? `${path}: expected JSON, found nothing`
      : `${path}:${problem.line}:${problem.column}: ${problem.message}`,
  );
}

/** Deeper values would exhaust the stack of whoever walks them. */
function isWithinDepth(root: Json): boolean {
  let level: Json[] = [root];
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap((value) =>
      Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
    );
    if (level.length === 0) return true;
  }
  return false;
}
