/** Files that hooks change after an edit: the next edit fits, and nobody's change is lost. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { hookSettings, withHookRun, writeHookFiles } from "../support/hooks.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";

/** Puts `from` in the place of `to` in the file that the call was about. */
const rewrites = (from: string, to: string) =>
  `f=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p'); sed -i 's/${from}/${to}/g' "$f"`;

Deno.test("after a formatter the version and text of the result fit the next edit", () =>
  withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, { "W/a.txt": "first\nlast\n" });
    const settings = JSON.parse(hookSettings({
      event: "PostToolUse",
      matcher: "Edit|Write",
      command: rewrites("new", "neat"),
      name: "fmt",
    }));
    let version = "";
    const provider = startFakeProvider([
      callAnswer("chat", [{
        name: "edit",
        input: { path: "a.txt", old_text: "first", new_text: "new" },
      }]),
      ({ text }) => {
        version = /changed the file: version (\w+)\]/.exec(text)![1]!;
        return callAnswer("chat", [{
          name: "edit",
          input: {
            path: "a.txt",
            old_text: "neat",
            new_text: "new again",
            expected_version: version,
          },
        }]);
      },
      textAnswer("chat", "done"),
    ]);
    try {
      const model = await pointAt(home, provider.url);
      const file = join(home, ".nimlet/config.json");
      const config = JSON.parse(await Deno.readTextFile(file).catch(() => "{}"));
      await Deno.writeTextFile(file, JSON.stringify({ ...config, ...settings }));
      const { stdout } = await runProgram([...model, "--mode", "json", "go"], {
        cwd: workspace,
        env: { HOME: home },
      });
      const results = only(checkedRecords(stdout), "tool_result");
      const [first, second] = results.map(({ output }) => String(output));
      assert.match(first!, new RegExp(`^version: ${version}$`, "m"));
      assert.match(first!, /^\[hook fmt changed the file: version \w+\]\n\n[^]*-new\n\+neat$/m);
      assert.match(second!, /hook fmt changed the file/);
      assert.deepEqual(results.map(({ is_error }) => is_error), [false, false]);
      assert.deepEqual(results[0]!.files_changed, ["a.txt"]);
      assert.equal(await Deno.readTextFile(join(workspace, "a.txt")), "neat again\nlast\n");
    } finally {
      await provider.close();
    }
  }));

Deno.test("a formatter that removes the file is told, and the result is a failure", () =>
  withHookRun({
    settings: hookSettings({
      event: "PostToolUse",
      matcher: "Write",
      command: "rm a.txt",
      name: "broom",
    }),
    steps: [call("write", { path: "a.txt", content: "x" }), say("ok")],
  }, ({ outputs, records }) => {
    assert.match(outputs[0]!, /\[hook broom removed the file a\.txt\]$/);
    assert.equal(only(records, "tool_result")[0]!.is_error, true);
  }));

Deno.test("a formatter that changes nothing adds nothing", () =>
  withHookRun({
    settings: hookSettings({ event: "PostToolUse", command: "touch a.txt" }),
    steps: [call("write", { path: "a.txt", content: "x" }), say("ok")],
  }, ({ outputs }) => assert.doesNotMatch(outputs[0]!, /hook/)));

Deno.test("a large change is shown in part", () =>
  withHookRun({
    settings: hookSettings({
      event: "PostToolUse",
      command: `seq 1 500 > a.txt`,
      name: "seq",
    }),
    steps: [call("write", { path: "a.txt", content: "x" }), say("ok")],
  }, ({ outputs }) => {
    assert.match(outputs[0]!, /\[diff shortened\]$/);
    assert.ok(outputs[0]!.split("\n").length < 60);
  }));

Deno.test("two formatters of one file both keep their changes, each time", async () => {
  const rounds = 50;
  const steps = Array.from({ length: rounds }, (_, number) =>
    callAll(
      ["write", { path: `a${number}`, content: "one two\n" }],
      ["write", { path: `b${number}`, content: "one two\n" }],
    ));
  await withHookRun({
    settings: hookSettings(
      { event: "PostToolUse", matcher: "Write", command: rewrites("one", "1"), name: "first" },
      { event: "PostToolUse", matcher: "Write", command: rewrites("two", "2"), name: "second" },
    ),
    steps: [...steps, say("ok")],
  }, async ({ outputs, place }) => {
    assert.equal(outputs.length, 2 * rounds);
    for (let number = 0; number < rounds; number++) {
      for (const letter of "ab") {
        const text = await Deno.readTextFile(join(place.workspace, `${letter}${number}`));
        assert.equal(text, "1 2\n");
      }
    }
  });
});
