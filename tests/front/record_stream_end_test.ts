import assert from "node:assert/strict";
import { recordStream } from "../../src/front/json.ts";

/** Records written to an own stdout, and what went to stderr. */
function stream() {
  const out: string[] = [], err: string[] = [];
  const keep = (line: string | Iterable<string>) => {
    out.push(typeof line === "string" ? line : [...line].join(""));
    return Promise.resolve();
  };
  const records = recordStream({
    writeOut: keep,
    writeAhead: (line) => void out.push(line),
    writeErr: (text) => Promise.resolve(void err.push(text)),
  });
  const types = () => out.join("").trim().split("\n").map((line) => JSON.parse(line).type);
  return { records, types, err };
}

const end = {
  status: "interrupted",
  code: "interrupted",
  exitCode: 130,
  workspace: "/w",
  mode: "act",
} as const;

Deno.test("a run that has said why it ended is not followed by the same error again", async () => {
  const { records, types } = stream();
  await records.sink({ type: "session_start", workspace: "/w", mode: "act" }, {});
  await records.sink({ type: "error", message: "stopped by SIGINT", code: "interrupted" }, {});
  assert.ok(records.hasTold("stopped by SIGINT"));
  await records.close({ ...end, message: "stopped by SIGINT" });
  assert.deepEqual(types(), ["session_start", "error", "session_end"]);
});

Deno.test("another reason than the run's own is told as well", async () => {
  const { records, types } = stream();
  await records.sink({ type: "session_start", workspace: "/w", mode: "act" }, {});
  await records.sink({ type: "error", message: "the provider is gone", code: "provider" }, {});
  assert.ok(!records.hasTold("stopped by SIGINT"));
  await records.close({ ...end, message: "stopped by SIGINT" });
  assert.deepEqual(types(), ["session_start", "error", "error", "session_end"]);
});
