/** The cassette file: its lines as steps of model events, with errors that name the line. */
import { RunFailure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject, readJson } from "../../core/json.ts";
import { readStateFile } from "../../host/state_files.ts";
import { checkEvent } from "./cassette_event.ts";

export interface Expectation {
  /** Names of the tools offered, in any order. */
  readonly tools?: readonly string[];
  /** A part of the last message's text. */
  readonly lastMessage?: string;
}

export interface CassetteStep {
  /** From 1. */
  readonly line: number;
  readonly expect?: Expectation;
  /** Checked: each has a known type and fields of the right types. */
  readonly events: readonly JsonObject[];
}

const maxCassetteBytes = 256 * 1024 * 1024;

/** Reads a cassette whole. Throws `RunFailure("config")` with file and line. */
export function readCassette(path: string): CassetteStep[] {
  const file = readStateFile(path, maxCassetteBytes);
  if (file.kind === "missing") {
    throw new RunFailure("config", `${path}: there is no such cassette.`);
  }
  if (file.kind === "unreadable") {
    throw new RunFailure("config", `${path}: expected a cassette, but it ${file.reason}.`);
  }
  return parseCassette(file.text, path);
}

/** Blank lines and lines that start with `//` are no steps. */
export function parseCassette(text: string, path: string): CassetteStep[] {
  const steps: CassetteStep[] = [];
  text.replace(/^\ufeff/, "").split("\n").forEach((raw, index) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("//")) return;
    steps.push(readStep(line, index + 1, path));
  });
  return steps;
}

function readStep(text: string, line: number, path: string): CassetteStep {
  const wrong = (problem: string) => new RunFailure("config", `${path}:${line}: ${problem}.`);
  let value: Json;
  try {
    value = readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrong(`expected one JSON array of events, but the line is not JSON (${error.message})`);
  }
  let expect: Expectation | undefined;
  if (isJsonObject(value) && value.expect !== undefined) {
    if (!isJsonObject(value.expect)) throw wrong("expect: expected an object");
    expect = readExpectation(value.expect, wrong);
    value = value.events ?? [];
  }
  if (!Array.isArray(value)) {
    throw wrong(`expected one JSON array of events, or {"expect": {...}, "events": [...]}`);
  }
  const events: JsonObject[] = [];
  for (const event of value) {
    if (!isJsonObject(event)) throw wrong("expected an object for each event");
    if (event.type === "expect") {
      expect = { ...expect, ...readExpectation(event, wrong) };
      continue;
    }
    const problem = checkEvent(event);
    if (problem !== undefined) throw wrong(problem);
    if (events.at(-1)?.type === "finish") {
      throw wrong(`${event.type}: expected nothing after the finish`);
    }
    events.push(event);
  }
  return expect === undefined ? { line, events } : { line, expect, events };
}

function readExpectation(value: JsonObject, wrong: (problem: string) => RunFailure): Expectation {
  for (const key of Object.keys(value)) {
    if (key !== "type" && key !== "tools" && key !== "last_message") {
      throw wrong(`expect.${key}: unknown; known are tools and last_message`);
    }
  }
  const { tools, last_message: lastMessage } = value;
  if (
    tools !== undefined &&
    !(Array.isArray(tools) && tools.every((name) => typeof name === "string"))
  ) {
    throw wrong("expect.tools: expected an array of tool names");
  }
  if (lastMessage !== undefined && typeof lastMessage !== "string") {
    throw wrong("expect.last_message: expected a string");
  }
  return {
    ...tools === undefined ? {} : { tools: tools as string[] },
    ...lastMessage === undefined ? {} : { lastMessage },
  };
}
