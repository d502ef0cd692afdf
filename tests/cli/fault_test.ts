import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { programEnv, withScratch } from "../support/program.ts";
import { checkedRecords } from "../support/records.ts";
import { isAlive, until } from "../support/until.ts";

const program = decodeURIComponent(new URL("fault_program.ts", import.meta.url).pathname);

for (const kind of ["throw", "reject"]) {
  Deno.test(`an error that nobody catches ends the run with 1 and one line (${kind})`, async () => {
    await withScratch(async ({ workspace, root, home }) => {
      const play = await cassette(`${root}/c.jsonl`, [
        call("bash", { command: "echo $$ > pid; touch begun; sleep 300" }),
        say("late"),
      ]);
      for (const form of [["--mode", "json", "x"], ["-p", "x"]]) {
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "--quiet", "--no-check", "-A", program, kind, ...play, ...form],
          cwd: workspace,
          clearEnv: true,
          env: programEnv(home),
        }).output();
        const text = new TextDecoder();
        assert.equal(code, 1);
        assert.equal(text.decode(stderr), "nimlet: a fault of the program\n");
        if (form[0] === "--mode") {
          const types = checkedRecords(text.decode(stdout)).map(({ type }) => type);
          assert.deepEqual(types.slice(-3), ["error", "run_end", "session_end"]);
        } else assert.equal(text.decode(stdout), "");
        const pid = Number(await Deno.readTextFile(`${workspace}/pid`));
        await Deno.remove(`${workspace}/begun`);
        await until(() => !isAlive(pid), "the child is gone", 3000);
      }
    });
  });
}
