import assert from "node:assert/strict";
import { isOffered } from "../../src/providers/models/is_offered.ts";

const listed = [
  "claude-x-4-20250929",
  "gemini-2.0-flash-001",
  "llama3:latest",
  "v/m",
  "gpt-5-mini",
];

Deno.test("a name is offered as it is listed, as an alias, or as a variant", () => {
  const offered = [
    ...listed,
    "claude-x-4",
    "claude-x-4-latest",
    "gemini-2.0-flash",
    "models/gemini-2.0-flash",
    "llama3",
    "v/m:free",
  ];
  for (const id of offered) assert.ok(isOffered(id, listed), id);
  for (const id of ["any", "v/m"]) assert.ok(isOffered(id, ["*"]), id);
  for (const id of ["v/m", "v/", "w/a-b-c"]) assert.ok(isOffered(id, ["v/*", "w/a*b*c"]), id);
  for (const id of ["u/m", "v", "w/a-c", "w/a-b-cd"]) {
    assert.ok(!isOffered(id, ["v/*", "w/a*b*c"]), id);
  }
  assert.ok(isOffered("claude-y", ["claude-y@20240620"]));
  for (const id of ["claude-x", "gpt-5", "llama3:8b", "v/m2", "v", "", "latest"]) {
    assert.ok(!isOffered(id, listed), id);
  }
});
