/** The examples of docs/extensions.md work as they are written. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { manifestShape } from "../../src/extensions/manifest_schema.ts";
import { eventNames, fromExtension, toExtension } from "../../src/extensions/protocol.ts";
import { call, cassette, say } from "../support/cassette.ts";
import { checkedRecords, only } from "../support/records.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { installed, testWhere } from "../support/test_where.ts";

const text = await Deno.readTextFile(new URL("../../docs/extensions.md", import.meta.url));
const files = [...text.matchAll(/^`(\.nimlet\/extensions\/[^`]+)`:\n\n```\w+\n([^]*?)^```$/gm)];

async function withExample(
  name: string,
  use: (
    run: (...args: string[]) => ReturnType<typeof runProgram>,
    workspace: string,
  ) => Promise<void>,
  steps: Parameters<typeof cassette>[1],
): Promise<void> {
  await withScratch(async ({ root, workspace, home }) => {
    const own = files.filter(([, path]) => path!.includes(`/extensions/${name}/`));
    assert.equal(own.length, 2);
    for (const [, path, content] of own) {
      await Deno.mkdir(dirname(join(home, path!)), { recursive: true });
      await Deno.writeTextFile(join(home, path!), content!);
      if (!path!.endsWith(".json")) await Deno.chmod(join(home, path!), 0o755);
    }
    await Deno.mkdir(join(root, "bin"));
    await Deno.symlink(Deno.execPath(), join(root, "bin/deno"));
    const model = await cassette(join(root, "model.jsonl"), steps);
    const PATH = `${root}/bin:${Deno.env.get("PATH")}`;
    await use(
      (...args) => runProgram([...model, ...args], { cwd: workspace, env: { HOME: home, PATH } }),
      workspace,
    );
  });
}

testWhere(
  installed("node"),
  "docs: the command gives the model its prompt",
  () =>
    withExample("standup", async (run) => {
      const { stdout } = await run("-p", "/standup on Monday", "--mode", "json");
      const [message] = only(checkedRecords(stdout), "message");
      assert.equal(
        message?.content,
        "Sum up in three lines what git says was committed on Monday.",
      );
    }, [say("ok")]),
);

Deno.test("docs: the tool counts down, and shows it", () =>
  withExample("countdown", async (run) => {
    const [, name, input, output] = /^\$ nimlet --call-tool (\w+) '(.*)'\n(.*)$/m.exec(text)!;
    const { stdout, stderr } = await run("--call-tool", name!, input!);
    assert.equal(stdout, `${output}\n`);
    assert.match(stderr, /^3\n2\n1\n/m);
  }, [say("ok")]));

testWhere(installed("python3"), "docs: the guard keeps a folder as it is", () =>
  withExample(
    "vendored",
    async (run, workspace) => {
      const { stdout } = await run("-p", "go", "--mode", "json", "--yolo");
      const outputs = only(checkedRecords(stdout), "tool_result").map(({ output }) => output);
      assert.equal(
        outputs[0],
        "approval_denied: the guard vendored: vendor/ is changed by its own script alone",
      );
      await assert.rejects(Deno.stat(join(workspace, "vendor")));
      assert.ok((await Deno.stat(join(workspace, "own/a"))).isFile);
    },
    [
      call("write", { path: "vendor/a", content: "x" }),
      call("write", { path: "own/a", content: "x" }),
      say("ok"),
    ],
  ));

Deno.test("docs: every key, line and event has its place", () => {
  const types = [...toExtension.options, ...fromExtension.options].map(({ shape }) =>
    shape.type.value
  );
  for (const name of [...Object.keys(manifestShape.shape), ...types, ...eventNames]) {
    assert.ok(text.includes(`\`${name}\``), name);
  }
});
