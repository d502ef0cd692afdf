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
  const written = () => out.join("").trim().split("\n").map((line) => JSON.parse(line));
  return { records, written, types: () => written().map(({ type }) => type), err };
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

Deno.test("every call that was announced has one result, also where the run is cut off", async () => {
  const { records, written, types } = stream();
  const ids = { session_id: "s", run_id: "r" };
  const call = (tool_id: string) => ({ step: 2, tool_id, tool_name: "bash" });
  await records.sink({ type: "session_start", workspace: "/w", mode: "act" }, ids);
  await records.sink({ type: "run_start", message: "go" } as never, ids);
  for (const id of ["a", "b", "c"]) {
    await records.sink({ type: "tool_call", ...call(id), input: {} }, ids);
  }
  await records.sink({ type: "tool_result", ...call("b"), output: "", is_error: false }, ids);
  await records.close({ ...end, message: "stopped after 2 s (--timeout)" });
  await records.sink({ type: "tool_result", ...call("a"), output: "late", is_error: false }, ids);
  assert.deepEqual(types().slice(5), [
    "tool_result",
    "tool_result",
    "tool_result",
    "error",
    "run_end",
    "session_end",
  ]);
  const made = { output: "INTERRUPTED (stopped after 2 s (--timeout))", is_error: true };
  assert.deepEqual(
    written().slice(6, 8),
    ["a", "c"].map((id) => ({
      version: 1,
      type: "tool_result",
      ...ids,
      ...call(id),
      ...made,
    })),
  );
});
