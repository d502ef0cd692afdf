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
  const written = result.stdout.text.replace(/^\ufeff/, "").trim();
  const read = written.startsWith("{") && !result.stdout.replaced ? readObject(written) : undefined;
  const said = read !== undefined && "said" in read ? read.said : undefined;
  // this status blocks, whatever was written
  if (result.exitCode === 2) {
    const blocks = cleaned(result.stderr.text).trim();
    return { kind: "answered", blocks, said: said ?? {}, text: "" };
  }
  if (result.stdout.replaced) return failed("it wrote bytes that are not UTF-8");
  if (said !== undefined) {
    const unknown = unknownDecision(said);
    return unknown === undefined
      ? { kind: "answered", said, text: "" }
      : failed(`it answered the decision ${unknown}`);
  }
  if (read !== undefined && "problem" in read) return failed(read.problem);
  if (result.exitCode !== 0) return failed(`status ${result.exitCode}`);
  if (/^\s*\{/m.test(written)) return failed("it wrote text before its JSON");
  return { kind: "answered", said: {}, text: written };
}

/** A decision that means nothing, shortened; who wrote it meant something, so it must not pass for none. */
function unknownDecision(
  { hookSpecificOutput: specific, ...said }: JsonObject,
): string | undefined {
  const { permissionDecision } = isJsonObject(specific) ? specific : {} as JsonObject;
  const given = [permissionDecision, said.permissionDecision, said.decision];
  const unknown = given.find((one) => one !== undefined && one !== null && !isDecision(one));
  if (unknown === undefined) return undefined;
  return typeof unknown === "string" ? JSON.stringify(unknown).slice(0, 60) : "that is no text";
}

export const decisions = ["deny", "block", "ask", "defer", "allow", "approve"] as const;
export type Decision = typeof decisions[number];

export function isDecision(value: Json | undefined): value is Decision {
  return decisions.some((one) => one === value);
}

function readObject(text: string): { said: JsonObject } | { problem: string } {
  let value: Json;
  try {
    value = readJson(text);
  } catch (error) {
    // a RangeError for what is nested too deeply to be read
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    return { problem: `it wrote what is not one JSON value: ${messageOf(error)}` };
  }
  return isJsonObject(value) ? { said: value } : { problem: "it wrote no JSON object" };
}

function firstLine(text: string): string {
  const line = cleaned(text).split("\n").find((one) => one.trim() !== "") ?? "";
  return line.trim().slice(0, 200);
}
