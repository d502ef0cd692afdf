/** The check of JSON mode's lines against the schema that ships. */
import assert from "node:assert/strict";
import { eventSchema } from "../../src/core/event.ts";
import { recordsOf } from "./program.ts";

export type Record = { [key: string]: unknown; type: string };

/** The records of `stdout`; fails where a line is no version 1 record, or not in the schema. */
export function checkedRecords(stdout: string): Record[] {
  const records = recordsOf(stdout) as Record[];
  for (const record of records) {
    assert.equal(record.version, 1, JSON.stringify(record));
    const { version: _, session_id: __, run_id: ___, turn_id: ____, ...event } = record;
    const result = eventSchema.safeParse(event);
    assert.ok(result.success, `${JSON.stringify(record)}\n${result.error?.message}`);
  }
  assert.ok(!/\\ud[89a-f]/i.test(stdout.replaceAll(/\\\\/g, "")), "a lone surrogate was written");
  return records;
}

/** The types in order, neighbours of the same delta type as one. */
export function typesOf(records: readonly Record[]): string[] {
  return records.map((record) => record.type)
    .filter((type, index, all) => !type.endsWith("_delta") || all[index - 1] !== type);
}

export function only(records: readonly Record[], type: string): Record[] {
  return records.filter((record) => record.type === type);
}
