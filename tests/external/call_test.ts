import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Json } from "../../src/core/json.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";
import { addTool, discover, fixtures, named, valid } from "./tool_folders.ts";

interface CallOptions {
  readonly deltas?: string[];
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
}

const found = await discover(fixtures, [{ path: fixtures, scope: "global" }]);

/** Calls a fixture's tool in a fresh workspace. */
function call(name: string, input: Json = {}, options: CallOptions = {}) {
  return withWorkspace((workspace) => callIn(workspace, name, input, options));
}

function callIn(workspace: string, name: string, input: Json = {}, options: CallOptions = {}) {
  return callTool(named(found, name), input, toolContext(workspace, options));
}

Deno.test("every fixture is a tool, but for what no tool can be made of", () => {
  const [missing, ...others] = found.warnings;
  assert.match(missing!, /missing\/tool\.json: command\[0\]: "none" is not there/);
  assert.deepEqual(others, []);
});

Deno.test("the arguments arrive as one JSON object, and the value comes back as written", async () => {
  assert.deepEqual(await call("echo", { text: "hello from nimlet" }), {
    text: '{"text":"hello from nimlet"}',
    isError: false,
  });
  assert.equal((await call("echo")).text, "{}");
  assert.equal((await call("lines_after")).text, '{"a":1}');
});

Deno.test("a JSON string is handed over as its text", async () => {
  assert.equal((await call("greet_text", { name: "Ada" })).text, "hello Ada");
});

Deno.test("tools work in Python, in JavaScript, as native programs, and without a first line", async () => {
  assert.equal((await call("word_count", { text: "one two three" })).text, '{"words": 3}');
  assert.equal((await call("no_shebang", { a: "b c" })).text, '{"a":"b c"}');
  await withWorkspace(async (workspace) => {
    await Deno.symlink(Deno.execPath(), join(workspace, "deno"));
    const context = toolContext(workspace);
    const PATH = `${workspace}:${context.childEnv.PATH ?? ""}`;
    const childEnv = { ...context.childEnv, PATH, DENO_NO_UPDATE_CHECK: "1" };
    const result = await callTool(named(found, "in_javascript"), { n: 21 }, {
      ...context,
      childEnv,
    });
    assert.equal(result.text, '{"doubled":42}');
    await addTool(join(workspace, ".nimlet/tools"), "native", { ...valid, command: ["/bin/cat"] });
    const native = named(await discover(workspace), "sample");
    assert.equal((await callTool(native, { a: 1 }, context)).text, '{"a":1}');
  });
});

Deno.test("fixed arguments reach the program untouched, in the workspace, with its folders named", () =>
  withWorkspace(async (workspace) => {
    const result = await callIn(workspace, "fixed_arguments");
    assert.deepEqual(JSON.parse(result.text), {
      arguments: ['$HOME `id` "two" ; exit 9', "", "*"],
      cwd: workspace,
      workspace,
      tool_dir: join(fixtures, "fixed_arguments"),
    });
  }));

Deno.test("arguments that do not fit the schema start nothing", async () => {
  assert.equal(
    (await call("word_count", { text: 5 })).text,
    "invalid_arguments: text: expected string, found number",
  );
  assert.match((await call("word_count")).text, /^invalid_arguments: text: required/);
});

Deno.test("a tool sees only the environment that children see", () =>
  withWorkspace(async (workspace) => {
    const context = toolContext(workspace);
    const result = await callTool(named(found, "environment"), {}, {
      ...context,
      childEnv: { PATH: context.childEnv.PATH ?? "", KEPT: "1" },
    });
    const names = JSON.parse(result.text) as string[];
    for (const name of ["KEPT", "NIMLET_WORKSPACE", "NIMLET_TOOL_DIR"]) {
      assert(names.includes(name), name);
    }
    assert(!names.includes("HOME"));
  }));

const failures: [string, RegExp][] = [
  [
    "exits_three_with_value",
    /^tool_failed: exits_three_with_value exited with status 3\.\nresult: {"partial":true}\nstderr:\nit went wrong$/,
  ],
  ["exits_one", /^tool_failed: exits_one exited with status 1\.\nstderr:\nno such city$/],
  ["killed", /^tool_failed: killed was ended by SIGKILL \(status 137\)\.$/],
  ["silent", /^tool_failed: silent wrote nothing to standard output \(empty stdout\)\.$/],
  ["white_space", /^tool_failed: white_space wrote only white space .*\(empty stdout\)\.$/],
  [
    "log_before",
    /wrote invalid JSON at line 1, column 1, .*: it starts with "log\\n{\\"a\\":1}"; logs belong on stderr/,
  ],
  [
    "two_values",
    /wrote more than one JSON value \(invalid JSON at line 1, column 8\): it starts with "{/,
  ],
  ["byte_order_mark", /wrote a byte order mark in front of its JSON \(invalid JSON\)\.$/],
  ["bad_utf8", /wrote invalid UTF-8 to standard output: it starts with "{\\"a\\":\\"/],
  ["nan", /wrote invalid JSON at line 1, column 1, .*: it starts with "NaN\\n"\.$/],
  ["control_start", /it starts with "\\x1b\[2J\\x1b\]0;title\\x07"\.$/],
  ["not_executable", /^tool_failed: not_executable: the executable .*run is not executable; chmod/],
  ["missing", /^tool_failed: missing: the executable .*none does not exist \(the first item/],
];

for (const [name, text] of failures) {
  Deno.test(`a call that goes wrong says how: ${name}`, async () => {
    const result = await call(name);
    assert(result.isError);
    assert.equal(result.code, "tool_failed");
    assert.match(result.text, text);
    // deno-lint-ignore no-control-regex -- control characters are what must not be there
    assert.doesNotMatch(result.text, /[\x00-\x08\x0b-\x1f\x7f]/);
  });
}

Deno.test("a tool that never reads its input, or much of it, does not break the call", async () => {
  assert.equal((await call("never_reads", { text: "x".repeat(5_000_000) })).text, '{"ok":true}');
  const bytes = Number((await call("takes_much", { text: "x".repeat(5_000_000) })).text);
  assert(bytes > 5_000_000);
});

Deno.test("several MiB in both directions at once do not deadlock", async () => {
  const result = await call("both_ways", { text: "x".repeat(3_000_000) });
  assert(!result.isError);
  assert.match(result.text, /^y+\n\[\.\.\. \d+ bytes omitted \.\.\.\]\ny+$/);
});

Deno.test("standard error is live output and no part of a good result, however much it is", async () => {
  const deltas: string[] = [];
  const result = await call("noisy", {}, { deltas });
  assert.deepEqual(result, { text: '{"ok":true}', isError: false });
  assert(deltas.join("").length >= 1024 * 1024);
});

Deno.test("the text for the model is capped with head and tail kept", async () => {
  const result = await call("big", { bytes: 5000 }, { maxOutputBytes: 1000 });
  assert.match(result.text, /^x{500}\n\[\.\.\. 4000 bytes omitted \.\.\.\]\nx{500}$/);
});

Deno.test("more than 8 MiB of standard output ends the process and fails the call", async () => {
  const result = await call("big", { bytes: 50_000_000 });
  assert(result.isError);
  assert.match(result.text, /wrote more than 8388608 bytes to standard output and was ended/);
  assert(result.text.length < 20_000);
  assert(!(await call("big", { bytes: 8 * 1024 * 1024 - 2 })).isError);
});

Deno.test("a time-out ends the tool and the children that left its group, and says so", () =>
  withWorkspace(async (workspace) => {
    const result = await callIn(workspace, "slow");
    assert.equal(result.code, "timeout");
    assert.match(result.text, /^TIMEOUT after 1 s: slow did not end in time/);
    assert.match(result.text, /stderr:\nstarted$/);
    const pids = (await Deno.readTextFile(join(workspace, "pids"))).split(" ");
    for (const pid of pids) assert(await isGone(pid), `${pid} is still there`);
  }));

Deno.test("a tool that answers and stays is a time-out that keeps the answer as detail", async () => {
  const result = await call("answers_and_stays");
  assert.equal(result.code, "timeout");
  assert.match(result.text, /^TIMEOUT after 1 s: .*\nresult: {"ok":true}$/);
});

Deno.test("cancelling ends the tool at once and says so", () =>
  withWorkspace(async (workspace) => {
    const controller = new AbortController();
    const tool = named(found, "slow");
    const context = toolContext(workspace, { signal: controller.signal });
    const result = await callTool(tool, {}, {
      ...context,
      progress: () => controller.abort(new Error("the person said stop")),
    });
    assert.equal(result.code, "interrupted");
    assert.match(result.text, /^INTERRUPTED \(slow was cancelled\)/);
  }));

Deno.test("an executable that became a link out of the workspace is not run", () =>
  withWorkspace(async (outer) => {
    const workspace = join(outer, "workspace");
    const folder = await addTool(join(workspace, ".nimlet/tools"), "sample", valid);
    const tool = named(await discover(workspace), "sample");
    await Deno.writeTextFile(join(outer, "program"), "#!/bin/sh\ncat\n", { mode: 0o755 });
    await Deno.remove(join(folder, "run"));
    await Deno.symlink(join(outer, "program"), join(folder, "run"));
    const result = await callTool(tool, {}, toolContext(workspace));
    assert(result.isError);
    assert.match(result.text, /leads outside the workspace through a link\.$/);
    assert.equal(dirname(folder), join(workspace, ".nimlet/tools"));
  }));

/** True once there is no such process; one that lost its parent is collected by the system's first. */
async function isGone(pid: string): Promise<boolean> {
  for (const deadline = Date.now() + 5000; Date.now() < deadline;) {
    const ps = await new Deno.Command("ps", { args: ["-p", pid, "-o", "stat="] }).output();
    if (!ps.success) return true;
  }
  return false;
}
