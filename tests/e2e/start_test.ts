/** The tests of how the program starts: from the compiled code in the binary, or from source. */
import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";

Deno.test("the binary starts from the compiled code in it", async () => {
  await withScratch(async ({ workspace: cwd }) => {
    const { code, stdout } = await runProgram(["--doctor", "--provider", "local", "--model", "m"], {
      cwd,
    });
    assert.equal(code, 0);
    const [, used] = /^compiled code: (.*)$/m.exec(stdout) ?? [];
    assert.equal(used, Deno.env.has("NIMLET_BIN") ? "used" : "none");
  });
});

Deno.test("the program leaves nothing in the folder for temporary files", async () => {
  await withScratch(async ({ workspace, root, outside: TMPDIR }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "cat notes" }),
      call("grep", { pattern: "o(?=ne)" }),
      say("done"),
    ]);
    await Deno.writeTextFile(`${workspace}/notes`, "one\n");
    const { code, stdout, stderr } = await runProgram([...play, "-p", "--yolo", "Go on."], {
      cwd: workspace,
      env: { TMPDIR },
    });
    assert.deepEqual([code, stdout], [0, "done\n"], stderr);
    assert.deepEqual([...Deno.readDirSync(TMPDIR)], []);
  });
});
