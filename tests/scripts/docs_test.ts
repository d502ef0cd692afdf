import assert from "node:assert/strict";
import { renderSchemas } from "../../scripts/docs_schemas.ts";
import { checkConfig } from "../../src/config/check.ts";
import { eventSchema } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { compileSchema } from "../../src/lib/json_schema.ts";

const schemas = renderSchemas();

Deno.test("the schema of config.json and the program agree on what is right", () => {
  const fits = compileSchema(schemas["config.schema.json"]!, "2020-12");
  const texts = [
    "{}",
    '{"default_model":"m","$schema":"x"}',
    '{"default_model":""}',
    '{"default_model":5}',
    '{"agent":{"max_tokens":5}}',
    '{"agent":{"max_tokens":"5"}}',
    '{"agent":{"max_tokens":"five"}}',
    '{"agent":{"max_tokens":1.5}}',
    '{"agent":{"max_tokens":0}}',
    '{"agent":{"request_timeout":0.5}}',
    '{"agent":[]}',
    '{"agent":{"thinking":"low"}}',
    '{"agent":{"thinking":"lots"}}',
    '{"agent":{"compaction_enabled":"true"}}',
    '{"agent":{"compaction_enabled":"yes"}}',
    '{"tools":{"bash":{"max_output_bytes":null}}}',
    '{"providers":{"x":{"endpoint":"http://y","options":{"a":[1]},"headers":{"A":"b"}}}}',
    '{"providers":{"x":{"endpoint":"ftp://y"}}}',
    '{"providers":{"x":{"headers":{"A":1}}}}',
    '{"providers":{"x":"key"}}',
    '{"unknown":{"key":1}}',
  ];
  for (const text of texts) {
    const value = JSON.parse(text) as JsonObject;
    const byProgram = checkConfig(value, []).problem === undefined;
    assert.equal(fits(value).length === 0, byProgram, text);
  }
});

Deno.test("the schema of records takes every kind of event, with what every record carries", () => {
  const schema = schemas["events.schema.json"]!;
  assert.equal((schema.oneOf as unknown[]).length, eventSchema.options.length);
  const fits = compileSchema(schema, "2020-12");
  const record = { version: 1, type: "run_start", session_id: "s", run_id: "r", prompt: "hi" };
  assert.deepEqual(fits(record), []);
  assert.notDeepEqual(fits({ ...record, version: 2 }), []);
  assert.notDeepEqual(fits({ ...record, extra: true }), []);
  assert.notDeepEqual(fits({ version: 1, type: "run_start" }), []);
});
