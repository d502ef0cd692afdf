/** The tests of what a failed tool is told: what is wrong with it, where the signs are plain. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";
import { addTool, discover, named, valid } from "./tool_folders.ts";

/** The failure of a tool that is `script`. */
function failureOf(script: string, files: Record<string, string> = {}): Promise<string> {
  return withWorkspace(async (workspace) => {
    const folder = await addTool(join(workspace, ".nimlet/tools"), "sample", valid, script);
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const tool = named(await discover(workspace), "sample");
    const result = await callTool(tool, {}, toolContext(workspace));
    assert.equal(result.isError, true, result.text);
    return result.text;
  });
}

const cases: [name: string, script: string, cure: RegExp][] = [
  ["CRLF after the #! line", "#!/bin/sh\r\necho '{}'\r\n", /its #! line ends in CRLF: save run/],
  ["CRLF after env", "#!/usr/bin/env sh\r\necho 1\r\n", /its #! line ends in CRLF/],
  [
    "a missing interpreter",
    "#!/opt/none/ruby\n1\n",
    /; \/opt\/none\/ruby, which the #! line of run/,
  ],
  [
    "a missing program of env",
    "#!/usr/bin/env no-such-python\n1\n",
    /; no-such-python, which the #! line of run asks for, is not there/,
  ],
  ["a missing program of env -S", "#!/usr/bin/env -S no-such -x\n1\n", /; no-such, which/],
  ["no #! line", "import json\nprint(json.dumps(1))\n", /run has no #! line, so the shell ran it/],
  [
    "logs before the value",
    "#!/bin/sh\necho loading...\necho '{\"a\":1}'\n",
    /logs belong on stderr/,
  ],
  [
    "logs after the value",
    "#!/bin/sh\nprintf '{\\n\"a\":1}\\n'\necho done\n",
    /logs belong on stderr/,
  ],
  [
    "Python's dict",
    "#!/bin/sh\necho \"{'a': 1}\"\n",
    /how Python shows a value: print json\.dumps/,
  ],
  ["Python's words", "#!/bin/sh\necho '{\"a\": True}'\n", /how Python shows a value/],
  ["Python's None", "#!/bin/sh\necho None\n", /how Python shows a value/],
  [
    "a file beside the tool",
    "#!/bin/sh\ncat data.txt\n",
    /data\.txt lies in the tool's folder, but tools run in the workspace: NIMLET_TOOL_DIR/,
  ],
];
for (const [name, script, cure] of cases) {
  Deno.test(`a failure names its cure: ${name}`, async () => {
    const text = await failureOf(script, { "data.txt": "x" });
    assert.match(text, cure);
    assert.match(text, /^tool_failed: sample /);
  });
}

Deno.test("a failure without plain signs names no cure", async () => {
  assert.equal(
    await failureOf("#!/bin/sh\necho broken >&2\nexit 3\n"),
    "tool_failed: sample exited with status 3.\nstderr:\nbroken",
  );
  assert.doesNotMatch(await failureOf("#!/bin/sh\necho some words\n"), /; |stderr/);
  const missing = await failureOf("#!/bin/sh\ncat other.txt\n");
  assert.doesNotMatch(missing, /NIMLET_TOOL_DIR/);
});

Deno.test("an executable or script that is not there is a warning, and the tool stays", () =>
  withWorkspace(async (workspace) => {
    const root = join(workspace, ".nimlet/tools");
    await addTool(root, "a", { ...valid, name: "a", command: ["python3", "tool.py"] });
    const beside = await addTool(root, "b", {
      ...valid,
      name: "b",
      command: ["run", "tool.py", "scripts/there.sh", "--out", "words.txt", "-x.py"],
    });
    await Deno.writeTextFile(join(beside, "tool.py"), "");
    await Deno.mkdir(join(workspace, "scripts"));
    await Deno.writeTextFile(join(workspace, "scripts/there.sh"), "");
    const found = await discover(workspace);
    assert.deepEqual(found.tools.map((tool) => tool.name), ["a", "b"]);
    assert.deepEqual(
      found.warnings.map((warning) => warning.slice(root.length + 1)),
      [
        `a/tool.json: command[0]: "python3" is not there; it is looked up in ${root}/a, not on PATH`,
        'a/tool.json: command[1]: "tool.py" is not there: tools run in the workspace',
        'b/tool.json: command[1]: "tool.py" is not there: tools run in the workspace; it lies in ' +
        "the tool's folder: write its absolute path, or use $NIMLET_TOOL_DIR in a script",
      ],
    );
  }));
