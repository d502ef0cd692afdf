/** The required form of the final answer: from the file of --output-schema to the check. */
import { resolve } from "node:path";
import type { OutputSchema } from "../../core/output_schema.ts";
import { messageOf, RunFailure } from "../../core/failure.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { draftOf, schemaProblems } from "../../external/check_schema.ts";
import { readStateFile } from "../../host/state_files.ts";
import { compileSchema, type SchemaCheck, SchemaError } from "../../lib/json_schema.ts";

const maxSchemaBytes = 1024 * 1024;

/** Reads the schema in `file`, relative to `cwd`. Throws `RunFailure("usage")` where it is none. */
export function loadOutputSchema(file: string, cwd: string): OutputSchema {
  const path = resolve(cwd, file);
  const wrong = (problem: string) => new RunFailure("usage", `--output-schema: ${path}${problem}`);
  const found = readStateFile(path, maxSchemaBytes);
  if (found.kind === "missing") throw wrong(" is not there");
  if (found.kind === "unreadable") throw wrong(` ${found.reason}`);
  let schema: Json;
  try {
    schema = JSON.parse(found.text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw wrong(`: expected a JSON Schema: ${messageOf(error)}`);
  }
  if (!isJsonObject(schema)) throw wrong(": expected a JSON Schema, an object");
  const draft = draftOf(schema);
  if (draft === undefined) {
    throw wrong(": $schema: expected draft 2020-12, 2019-09 or draft-07");
  }
  const [problem] = schemaProblems(schema, "schema");
  if (problem !== undefined) throw wrong(`: ${problem}`);
  let check: SchemaCheck;
  try {
    check = compileSchema(schema, draft, "answer");
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw wrong(`: ${error.message}`);
  }
  return { schema, read: (text) => readAnswer(text, check) };
}

function readAnswer(text: string, check: SchemaCheck): ReturnType<OutputSchema["read"]> {
  const json = jsonIn(text);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problems: [`the answer is not JSON: ${messageOf(error)}`] };
  }
  const problems = check(value);
  return problems.length === 0 ? { json } : { problems };
}

/** The JSON of an answer: the whole text, or what its one fenced block holds. */
function jsonIn(text: string): string {
  const whole = text.replace(/^\ufeff/, "").trim();
  const fenced = [...whole.matchAll(/^```[\w-]*\n([\s\S]*?)\n?```$/gm)];
  return !/^[{["\d-]|^(true|false|null)$/.test(whole) && fenced.length === 1
    ? fenced[0]![1]!.trim()
    : whole;
}
