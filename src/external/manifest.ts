/** The form of `tool.json`: its schema, its defaults, and what can be wrong with one. */
import { capabilities, type Capability } from "../core/capability.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { JsoncProblem } from "../lib/jsonc.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { nearest } from "../lib/nearest.ts";
import { draftOf, schemaProblems } from "../schemas/check_schema.ts";
import { flatProblems } from "./flat_schema.ts";

/** A manifest in order, defaults filled in. */
export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly command: readonly [string, ...string[]];
  readonly inputSchema: JsonObject;
  /** Seconds, 1..maxTimeoutSeconds. */
  readonly timeoutSeconds: number;
  readonly capabilities: readonly Capability[];
}

const defaultTimeoutSeconds = 30;
const maxTimeoutSeconds = 86_400;
/** What a tool that declares nothing may do: everything that is not safe. */
const unsafeCapabilities: readonly Capability[] = ["write", "shell", "network"];

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/** The JSON Schema of `tool.json`, from which reference and schema file are generated. */
export const manifestSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "nimlet external tool",
  description: "A manifest, tool.json, that makes an executable a tool of the model.",
  type: "object",
  properties: {
    $schema: { type: "string" },
    name: {
      type: "string",
      pattern: toolName.source,
      description: "What the model calls the tool: letters, digits, _ and -, at most 64.",
    },
    description: {
      type: "string",
      minLength: 1,
      description: "For the model: what the tool does and when to use it.",
    },
    command: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "The executable, relative to the manifest's folder or absolute, then fixed " +
        "arguments.",
    },
    input_schema: {
      type: "object",
      description:
        "JSON Schema of the arguments: draft 2020-12, or draft-07 where $schema says so.",
    },
    timeout_seconds: {
      type: "integer",
      default: defaultTimeoutSeconds,
      description: `How long a call may take; at least 1, at most ${maxTimeoutSeconds}.`,
    },
    capabilities: {
      type: "array",
      items: { enum: [...capabilities] },
      description:
        "What the tool does. Omitted or empty counts as write, shell and network; only " +
        "read and user are offered in plan mode.",
    },
  },
  required: ["name", "description", "command", "input_schema"],
} satisfies JsonObject;

export type ManifestReading =
  /** `notices` are worth a warning, but the tool works. */
  | { readonly manifest: Manifest; readonly notices: readonly string[] }
  | { readonly problems: readonly string[] };

/** Reads a manifest's text. */
export async function readManifest(text: string): Promise<ManifestReading> {
  if (text.length > shortText && depthOf(text) > maxDepth) {
    return { problems: [`nested deeper than ${maxDepth} levels`] };
  }
  const parsed = await parseLenient(text);
  if ("problem" in parsed) return { problems: [syntaxProblem(parsed.problem)] };
  if (!isJsonObject(parsed.value)) return { problems: ["expected a JSON object"] };
  const raw = parsed.value;
  const problems = seemsRight(raw) ? [] : flatProblems(raw, manifestSchema);
  if (problems.length === 0) problems.push(...deeperProblems(raw));
  if (problems.length > 0) return { problems };
  return { manifest: manifestOf(raw), notices: unknownKeys(raw) };
}

/** Too short to be nested so deeply that it could do harm. */
const shortText = 4096;
const maxDepth = 500;

/** How deeply brackets are nested, those in texts left out. */
function depthOf(text: string): number {
  let depth = 0, deepest = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (piece === "[" || piece === "{") deepest = Math.max(deepest, ++depth);
    else if (piece === "]" || piece === "}") depth--;
  }
  return deepest;
}

function syntaxProblem(problem: JsoncProblem | undefined): string {
  return problem === undefined
    ? "expected a JSON object"
    : `line ${problem.line}, column ${problem.column}: ${problem.message}`;
}

/** True for most manifests, whose problems then need not be looked for one by one. */
function seemsRight(raw: JsonObject): boolean {
  const { $schema = "", name, description, command, input_schema, timeout_seconds = 1 } = raw;
  const { capabilities: declared = [] } = raw;
  return typeof $schema === "string" && typeof name === "string" && toolName.test(name) &&
    typeof description === "string" && description !== "" &&
    Array.isArray(command) && command.length > 0 &&
    command.every((item) => typeof item === "string") && isJsonObject(input_schema) &&
    Number.isInteger(timeout_seconds) && Array.isArray(declared) &&
    declared.every((item) => (capabilities as readonly Json[]).includes(item));
}

/** What the schema of the manifest cannot say. */
function deeperProblems(raw: JsonObject): string[] {
  const problems: string[] = [];
  if (String(raw.description).trim() === "") {
    problems.push("description: expected a non-empty string");
  }
  const command = raw.command as string[];
  if (command[0]!.trim() === "") problems.push("command[0]: expected a path");
  const nul = command.findIndex((item) => item.includes("\0"));
  if (nul >= 0) problems.push(`command[${nul}]: holds a NUL character`);
  const schema = raw.input_schema as JsonObject;
  if (draftOf(schema) === undefined) {
    problems.push("input_schema.$schema: expected JSON Schema draft 2020-12, 2019-09 or draft-07");
  }
  problems.push(...schemaProblems(schema, "input_schema"));
  if (
    problems.length === 0 && schema.type !== undefined && ![schema.type].flat().includes("object")
  ) {
    problems.push('input_schema.type: expected "object", as arguments are always an object');
  }
  return problems;
}

/** Told of one manifest. */
const maxUnknownKeys = 10;

const knownKeys = new Set(Object.keys(manifestSchema.properties));

function unknownKeys(raw: JsonObject): string[] {
  const unknown = Object.keys(raw).filter((key) => !knownKeys.has(key));
  return unknown.slice(0, maxUnknownKeys).map((key) => {
    const meant = nearest(key, [...knownKeys]);
    return `unknown key ${JSON.stringify(key.slice(0, 100).toWellFormed())} is ignored${
      meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`
    }`;
  });
}

function manifestOf(raw: JsonObject): Manifest {
  const declared = (raw.capabilities ?? []) as Capability[];
  const seconds = (raw.timeout_seconds ?? defaultTimeoutSeconds) as number;
  return {
    name: raw.name as string,
    description: raw.description as string,
    command: raw.command as [string, ...string[]],
    inputSchema: raw.input_schema as JsonObject,
    timeoutSeconds: Math.min(Math.max(seconds, 1), maxTimeoutSeconds),
    capabilities: declared.length > 0 ? [...new Set(declared)] : unsafeCapabilities,
  };
}
