import assert from "node:assert/strict";
import { cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { linux, testWhere } from "../support/test_where.ts";

Deno.test("a cassette is not recorded onto itself, whichever way it is named", async () => {
  await withScratch(async ({ workspace }) => {
    const file = `${workspace}/c.jsonl`;
    const play = await cassette(file, [say("kept")]);
    const before = await Deno.readTextFile(file);
    await Deno.symlink("c.jsonl", `${workspace}/link`);
    for (const name of ["c.jsonl", "./c.jsonl", "link", file]) {
      for (const mode of [["-p", "x"], ["--mode", "rpc"]]) {
        const { code, stderr } = await runProgram([...play, "--record", name, ...mode], {
          cwd: workspace,
        });
        assert.equal(code, 2, name);
        assert.match(stderr, /^nimlet: --record: .* is the cassette that is played; name another/);
        assert.equal(await Deno.readTextFile(file), before);
      }
    }
  });
});

Deno.test("a start that fails leaves an earlier recording as it was", async () => {
  await withScratch(async ({ workspace }) => {
    await Deno.writeTextFile(`${workspace}/old.jsonl`, "old\n");
    const flags = ["--record", "old.jsonl", "-p", "x"];
    const failed = await runProgram(["--provider", "openai", ...flags], { cwd: workspace });
    assert.equal(failed.code, 2, failed.stderr);
    assert.equal(await Deno.readTextFile(`${workspace}/old.jsonl`), "old\n");

    const play = await cassette(`${workspace}/c.jsonl`, [say("new")]);
    const done = await runProgram([...play, ...flags], { cwd: workspace });
    assert.equal(done.code, 0, done.stderr);
    const recorded = await Deno.readTextFile(`${workspace}/old.jsonl`);
    assert.deepEqual([recorded.includes("old"), recorded.includes("new")], [false, true]);
  });
});

testWhere(linux, "a recording that cannot be written names its flag and file", async () => {
  await withScratch(async ({ workspace }) => {
    const play = await cassette(`${workspace}/c.jsonl`, [say("x")]);
    const flags = [...play, "--record", "/dev/full", "--mode", "json", "x"];
    const { code, stdout, stderr } = await runProgram(flags, { cwd: workspace });
    assert.equal(code, 1);
    assert.match(stderr, /^nimlet: --record: \/dev\/full cannot be written \(/);
    assert.equal(only(checkedRecords(stdout), "error")[0]!.code, "output");
  });
});
