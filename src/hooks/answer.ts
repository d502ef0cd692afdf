/** What a hook says: its exit status, its standard output, its standard error, as one answer. */
import type { ProcessResult } from "../core/host.ts";
import { isJsonObject, type Json, type JsonObject, readJson } from "../core/json.ts";
import { messageOf } from "../core/failure.ts";
import { cleaned } from "./clean_text.ts";

export type HookAnswer =
  | { readonly kind: "failed"; readonly problem: string }
  | {
    readonly kind: "answered";
    /** Set by status 2: the text of standard error, which may be empty. */
    readonly blocks?: string;
    /** `{}` where it printed no JSON. */
    readonly said: JsonObject;
    /** What it printed, where that is no JSON. */
    readonly text: string;
  };

export const stdoutLimitBytes = 1024 * 1024;
export const maxStderrBytes = 16 * 1024;

/** Reads the end of a hook that was started. */
export function answerOf(result: ProcessResult, timeoutMs: number): HookAnswer {
  const failed = (what: string): HookAnswer => ({
    kind: "failed",
    problem: [what, firstLine(result.stderr.text)].filter((part) => part !== "").join(": "),
  });
  switch (result.end) {
    case "timeout":
      return failed(`it did not end within ${timeoutMs / 1000} s`);
    case "overflow":
      return failed(`it wrote more than ${stdoutLimitBytes} bytes`);
    case "aborted":
      return failed("it was interrupted");
    case "exited":
    case "idle":
  }
  if (result.signal !== undefined) return failed(`it was ended by ${result.signal}`);
  if (result.stdout.replaced) return failed("it wrote bytes that are not UTF-8");
  const blocks = result.exitCode === 2 ? { blocks: cleaned(result.stderr.text).trim() } : {};
  const written = result.stdout.text.replace(/^\ufeff/, "").trim();
  if (written.startsWith("{")) {
    const read = readObject(written);
    if ("said" in read) return { kind: "answered", ...blocks, said: read.said, text: "" };
    return result.exitCode === 2
      ? { kind: "answered", ...blocks, said: {}, text: "" }
      : failed(read.problem);
  }
  if (result.exitCode === 2) return { kind: "answered", ...blocks, said: {}, text: "" };
  if (result.exitCode !== 0) return failed(`status ${result.exitCode}`);
  if (/^\s*\{/m.test(written)) return failed("it wrote text before its JSON");
  return { kind: "answered", said: {}, text: written };
}

function readObject(text: string): { said: JsonObject } | { problem: string } {
  let value: Json;
  try {
    value = readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `it wrote what is not one JSON value: ${messageOf(error)}` };
  }
  return isJsonObject(value) ? { said: value } : { problem: "it wrote no JSON object" };
}

function firstLine(text: string): string {
  const line = cleaned(text).split("\n").find((one) => one.trim() !== "") ?? "";
  return line.trim().slice(0, 200);
}
