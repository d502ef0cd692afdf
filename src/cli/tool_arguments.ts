/** A tool's arguments on the command line: JSON text, `@file`, or `-` for stdin. */
import { resolve } from "node:path";
import { messageOf, RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { isJsonObject, type Json, type JsonObject, readJson } from "../core/json.ts";
import { readStateFile } from "../host/state_files.ts";
import { readText } from "./prompt_input.ts";

const maxArgumentBytes = 16 * 1024 * 1024;

/** Throws `RunFailure("usage")`, which names the option, for what is no JSON object. */
export async function readArguments(
  option: string,
  input: string,
  host: Host,
  signal: AbortSignal,
): Promise<JsonObject> {
  const text = input === "-"
    ? await readText(host, signal, maxArgumentBytes)
    : input.startsWith("@")
    ? readArgumentFile(option, resolve(host.env.cwd, input.slice(1)))
    : input;
  let value: Json;
  try {
    value = readJson(text.trim() === "" ? "{}" : text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new RunFailure("usage", `--${option}: expected JSON arguments: ${messageOf(error)}`);
  }
  if (!isJsonObject(value)) {
    throw new RunFailure(
      "usage",
      `--${option}: expected a JSON object as arguments, found ${text.slice(0, 60)}`,
    );
  }
  return value;
}

function readArgumentFile(option: string, path: string): string {
  const file = readStateFile(path, maxArgumentBytes);
  if (file.kind === "text") return file.text;
  const reason = file.kind === "missing" ? "is not there" : file.reason;
  throw new RunFailure("usage", `--${option}: ${path} ${reason}`);
}
