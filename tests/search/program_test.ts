import assert from "node:assert/strict";
import { runProgram } from "../support/program.ts";
import { withWorkspace } from "../support/tool_context.ts";
import { writeTree } from "./tree.ts";

/** The whole program, from source or the binary in NIMLET_BIN: workers and PCRE2 must be found there. */
async function callGrep(workspace: string, pattern: string): Promise<string> {
  const args = ["--no-session", "--call-tool", "grep", JSON.stringify({ pattern })];
  const result = await runProgram(args, { cwd: workspace });
  assert.equal(result.code, 0, result.stderr);
  return result.stdout.trimEnd();
}

for (
  const [what, pattern] of [
    ["this thread", "mark 1"],
    ["a worker", "(m)ark 1|(x)\\2"],
    ["PCRE2 in a worker", "(?>m)ark 1"],
  ] as const
) {
  Deno.test(`the program searches by ${what}`, async () => {
    await withWorkspace(async (workspace) => {
      const files = Array.from({ length: 300 }, (_, index) => [`f${index}`, `mark ${index}\n`]);
      await writeTree(workspace, Object.fromEntries(files.map(([path, text]) => [path, text])));
      const lines = (await callGrep(workspace, `^(?:${pattern})\\d$`)).split("\n");
      assert.deepEqual(
        lines,
        Array.from({ length: 10 }, (_, digit) => `f1${digit}:1:mark 1${digit}`),
      );
    });
  });
}
