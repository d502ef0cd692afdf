/** The check of result mode's object against the schema that ships. */
import assert from "node:assert/strict";
import type { RunResult } from "../../src/core/run_result.ts";
import { resultSchema } from "../../src/front/result_schema.ts";

/** The one object of `stdout`; fails where it is not one line, or not in the schema. */
export function checkedResult(stdout: string): RunResult {
  assert.match(stdout, /^\{[^\n]*\}\n$/);
  const value = JSON.parse(stdout);
  const checked = resultSchema.strict().safeParse(value);
  assert.ok(checked.success, `${stdout}\n${checked.error?.message}`);
  return value;
}
