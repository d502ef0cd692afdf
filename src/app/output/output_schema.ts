/** The required form of the final answer: from the file of --output-schema to the check. */
import { resolve } from "node:path";
import type { OutputSchema, ReadAnswer } from "../../core/output_schema.ts";
import { messageOf, RunFailure } from "../../core/failure.ts";
import { isDeeper, isJsonObject, type Json, maxJsonLevels } from "../../core/json.ts";
import { type BoundedCheck, boundedCheck } from "../../schemas/bounded_check.ts";
import { draftOf, schemaProblems } from "../../schemas/check_schema.ts";
import { readStateFile } from "../../host/state_files.ts";

const maxSchemaBytes = 1024 * 1024;
const maxSchemaLevels = 500;

/** Reads the schema in `file`, relative to `cwd`. Throws `RunFailure("usage")` where it is none. */
export async function loadOutputSchema(file: string, cwd: string): Promise<OutputSchema> {
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
  if (isDeeper(schema, maxSchemaLevels)) {
    throw wrong(`: nested deeper than ${maxSchemaLevels} levels`);
  }
  const draft = draftOf(schema);
  if (draft === undefined) {
    throw wrong(": $schema: expected draft 2020-12, 2019-09 or draft-07");
  }
  const [problem] = schemaProblems(schema, "schema");
  if (problem !== undefined) throw wrong(`: ${problem}`);
  const checked = boundedCheck(schema, draft, "answer");
  const fault = await checked.fault();
  if (fault !== undefined) throw wrong(`: ${fault}`);
  return { schema, read: (text, signal) => readAnswer(text, checked, signal) };
}

async function readAnswer(
  text: string,
  checked: BoundedCheck,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const json = jsonIn(text);
  let value: Json;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problems: [`the answer is not JSON: ${messageOf(error)}`] };
  }
  if (isDeeper(value, maxJsonLevels)) {
    return { problems: [`the answer is nested more than ${maxJsonLevels} levels deep`] };
  }
  const verdict = await checked.check(value, signal);
  if ("fault" in verdict) return { problems: [`schema: ${verdict.fault}`] };
  return verdict.problems.length === 0 ? { json } : verdict;
}

/** The JSON of an answer: the whole text, or what its one fenced block holds. */
function jsonIn(text: string): string {
  const whole = text.replace(/^\ufeff/, "").trim();
  if (/^[{["\d-]|^(true|false|null)$/.test(whole)) return whole;
  return onlyFenced(whole)?.trim() ?? whole;
}

/** What stands between fences, where there is one such block. */
function onlyFenced(text: string): string | undefined {
  let opened: number | undefined, found: string | undefined;
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (opened === undefined) {
      if (/^```[\w-]*$/.test(line)) opened = at;
      continue;
    }
    if (!line.endsWith("```")) continue;
    if (found !== undefined) return undefined;
    found = [...lines.slice(opened + 1, at), line.slice(0, -3)].join("\n");
    opened = undefined;
  }
  return found;
}
