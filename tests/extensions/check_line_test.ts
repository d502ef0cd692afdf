/** The quick checks accept and refuse what the published schemas do. */
import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { checkLine } from "../../src/extensions/check_line.ts";
import { readManifest } from "../../src/extensions/manifest.ts";
import { manifestShape } from "../../src/extensions/manifest_schema.ts";
import { fromExtension } from "../../src/extensions/protocol.ts";

const effects = {
  status: { key: "k", text: "t" },
  notification: { level: "info", message: "m" },
  entry: { a: [1, { b: null }] },
  user_message: { content: "c", deliver_as: "steer" },
  widget: [1, "x"],
};

const lines: JsonObject[] = [
  {
    type: "register",
    version: 1,
    tools: [{
      name: "t",
      description: "d",
      input_schema: { type: "object" },
      capabilities: ["read"],
    }],
    commands: [{ name: "c", description: "d" }],
    events: ["tool_call", { event: "turn_end", matcher: "Bash", answers: false }],
  },
  {
    type: "response",
    id: "n1",
    error: "e",
    content: [{ type: "text", text: "t" }, {
      type: "image",
      mimeType: "image/png",
      data: "",
      path: "p",
    }],
    is_error: true,
    message: "m",
    prompt: "p",
    session: { action: "switch", id: "s", instruction: "i" },
    reload: true,
    allow: false,
    reason: "r",
    ask: true,
    approve: true,
    arguments: { a: 1 },
    context: "c",
    output: "o",
    system: ["s"],
    messages: [{ role: "user" }],
    instruction: "i",
    compaction: { summary: "s", first_kept_index: 3, details: { a: 1 } },
    ...effects,
  },
  { type: "tool_update", id: "n1", content: "c" },
  { type: "update", ...effects },
  {
    type: "ui_request",
    id: "u",
    parent: "n1",
    method: "question",
    prompt: "p",
    options: ["a", "b"],
  },
  { type: "host_request", id: "h", parent: "n1", method: "session.name", name: "n" },
];

const manifest: JsonObject = {
  $schema: "s",
  name: "n",
  description: "d",
  command: ["a", "b"],
  response_timeout_seconds: 5,
  guards: true,
};

const values: Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  3600,
  3601,
  1e20,
  "",
  "x",
  "X_-9",
  "no blanks",
  "é",
  "x".repeat(33),
  "x".repeat(65),
  [],
  ["a"],
  Array(21).fill("a"),
  Array(65).fill("a"),
  Array(257).fill("a"),
  {},
  { a: 1 },
  [{}],
  "text",
  "image",
];

/** `value` with each of its parts replaced, left out, or with one more. */
function* variants(value: Json): Generator<Json> {
  yield* values;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const one of variants(item)) yield value.with(index, one);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value as JsonObject, extra: 1 };
    for (const [key, item] of Object.entries(value as JsonObject)) {
      const { [key]: _, ...others } = value as JsonObject;
      yield others;
      for (const one of variants(item)) yield { ...value as JsonObject, [key]: one };
    }
  }
}

const isLine = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

Deno.test("lines are accepted and refused as by the published schema", () => {
  let accepted = 0, refused = 0;
  for (const line of lines) {
    const whole = checkLine(line);
    assert.ok(whole !== undefined && "message" in whole, JSON.stringify(whole));
    for (const variant of variants(line)) {
      if (!isLine(variant)) continue;
      const checked = checkLine(variant);
      const fits = checked !== undefined && "message" in checked;
      assert.equal(fits, fromExtension.safeParse(variant).success, JSON.stringify(variant));
      if (fits) accepted++;
      else refused++;
    }
  }
  assert.ok(accepted > 100 && refused > 500, `${accepted}, ${refused}`);
});

Deno.test("manifests are accepted and refused as by the published schema", async () => {
  for (const variant of variants(manifest)) {
    if (!isLine(variant)) continue;
    const read = await readManifest(JSON.stringify(variant));
    const [program] = Array.isArray(variant.command) ? variant.command : [];
    const isBlank = typeof program === "string" && program.trim() === "";
    const fits = manifestShape.safeParse(variant).success && !isBlank;
    assert.equal("manifest" in read, fits, JSON.stringify(variant));
  }
});

Deno.test("what does not fit is said with its place", () => {
  const problems = (line: JsonObject) => {
    const checked = checkLine(line);
    return checked !== undefined && "problems" in checked ? checked.problems : [];
  };
  assert.deepEqual(problems({ type: "response", id: "n 1", allow: "no", content: [{}, 5] }), [
    "id: expected 1 to 64 letters, digits and _ . : -",
    "allow: expected boolean, found string",
    "content[0].type: required, but missing",
    "content[1]: expected object, found number",
  ]);
  assert.deepEqual(problems({ type: "register", tool: [], events: [{ event: 1 }] }), [
    "tool: unknown key",
    "events[0].event: expected string, found number",
  ]);
  assert.equal(checkLine({ type: "constructor" }), undefined);
});
