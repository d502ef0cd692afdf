/** The cassette file: its lines as steps, read liberally, with errors that name the line. */
import { RunFailure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { problemOf } from "./part_problem.ts";
import { readStateFile } from "../../host/state_files.ts";

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
  readonly parts: readonly JsonObject[];
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
    value = JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrong(
      `expected one JSON array of stream parts, but the line is not JSON (${error.message})`,
    );
  }
  let expect: Expectation | undefined;
  let list = value;
  if (isJsonObject(value) && value.type === undefined) {
    if (value.expect !== undefined) expect = readExpectation(value.expect, wrong);
    list = value.parts ?? [];
  } else if (isJsonObject(value)) list = [value];
  if (!Array.isArray(list)) throw wrong("expected an array of stream parts");
  const parts: JsonObject[] = [];
  for (const part of list) {
    if (!isJsonObject(part)) throw wrong("expected an object for each stream part");
    if (part.type === "expect" || (part.type === undefined && part.expect !== undefined)) {
      expect = { ...expect, ...readExpectation(part.expect ?? part, wrong) };
    } else if (typeof part.type !== "string") throw wrong("a stream part has no type");
    else if (!known.has(part.type)) throw wrong(`unknown stream part ${JSON.stringify(part.type)}`);
    else {
      const problem = problemOf(part);
      if (problem !== undefined) throw wrong(problem);
      if (parts.at(-1)?.type === "finish") {
        throw wrong(`${part.type}: expected nothing after the finish part`);
      }
      parts.push(part);
    }
  }
  return expect === undefined ? { line, parts } : { line, expect, parts };
}

const known = new Set([
  "stream-start",
  "response-metadata",
  "text",
  "text-start",
  "text-delta",
  "text-end",
  "reasoning",
  "reasoning-start",
  "reasoning-delta",
  "reasoning-end",
  "tool-input-start",
  "tool-input-delta",
  "tool-input-end",
  "tool-call",
  "wait",
  "error",
  "finish",
]);

function readExpectation(value: Json, wrong: (problem: string) => RunFailure): Expectation {
  if (!isJsonObject(value)) throw wrong("expect: expected an object");
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
