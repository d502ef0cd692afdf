/** The bounds of what others send: what is too much is refused with a sentence, and memory stays flat. */
import assert from "node:assert/strict";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { calls, header, result, says, user } from "../session/session_folder.ts";
import { peakMiB } from "../support/peak_memory.ts";
import { pointAt } from "../support/pointed.ts";
import { startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { linux, testWhere } from "../support/test_where.ts";

/** From source the runtime itself takes as much again. */
const mostMiB = Deno.env.get("NIMLET_BIN") ? 300 : 450;

const mib = 1024 * 1024;

Deno.test("what waits for a running prompt may have 16 MiB; more is refused, and nothing is lost", async () => {
  const over = Promise.withResolvers<void>();
  const provider = startFakeProvider([
    { before: over.promise, ...textAnswer("chat", "one") },
    (request) => textAnswer("chat", `taken in ${request.text.includes("zzzz")}`),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc([...await pointAt(home, provider.url), "--no-session"], workspace);
      await rpc.ask("prompt", { message: "work" });
      const wait = (text: string) => rpc.ask("follow_up", { message: text });
      assert.equal((await wait("z".repeat(7 * mib))).ok, true);
      const refused = await wait("y".repeat(10 * mib));
      assert.equal(refused.ok, false);
      assert.match(
        String(refused.error),
        /^the queue is full: expected at most 16777216 bytes of input to wait, found 178\d{5}; /,
      );
      const { state } = await rpc.ask("get_state");
      assert.equal((state as { queue_depth: number }).queue_depth, 1);
      over.resolve();
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, "taken in true");
      await rpc.ask("shutdown");
      assert.equal((await rpc.program.ended).code, 0);
    });
  } finally {
    over.resolve();
    await provider.close();
  }
});

Deno.test("a line beyond 20 MiB is refused, and the next one is read", async () => {
  await withScratch(async ({ workspace }) => {
    const rpc = startRpc(["--provider", "local", "--model", "m", "--no-session"], workspace);
    await rpc.send(`${"x".repeat(20 * mib + 1)}\n`);
    const refused = await rpc.next("response");
    assert.deepEqual([refused.ok, refused.id], [false, ""]);
    assert.equal((await rpc.ask("get_state")).ok, true);
    await rpc.ask("shutdown");
    await rpc.program.ended;
  });
});

testWhere(linux, "commands that come while the queue is full leave no memory behind", async () => {
  const over = Promise.withResolvers<void>();
  const provider = startFakeProvider([{ before: over.promise, body: "{}" }]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc([...await pointAt(home, provider.url), "--no-session"], workspace);
      await rpc.ask("prompt", { message: "work" });
      const message = "y".repeat(60_000);
      for (let index = 0; index < 5000; index++) await rpc.ask("follow_up", { message });
      const peak = peakMiB(rpc.program.pid);
      rpc.program.kill("SIGKILL");
      await rpc.program.ended;
      assert.ok(peak <= mostMiB, `${peak} MiB`);
    });
  } finally {
    over.resolve();
    await provider.close();
  }
});

testWhere(
  linux,
  "a session larger than any request is resumed: it says so, and is summarised in parts",
  async () => {
    const summaries: string[] = [];
    const answer = textAnswer("chat", "on it");
    const provider = startFakeProvider([(request) => {
      if (!request.text.includes("You write summaries")) return answer;
      summaries.push(request.text);
      return textAnswer("chat", `## Goal\nsummary ${summaries.length}`);
    }], { repeatLast: true });
    try {
      await withScratch(async ({ workspace, home }) => {
        const id = "20260131-235959999-abcdefgh";
        const file = await writeLongSession(home, workspace, id, 80);
        const flags = [...await pointAt(home, provider.url), "--mode", "json", "--session", id];
        const program = startProgram([...flags, "go on"], { cwd: workspace, limitMs: 120_000 });
        await program.waitFor((line) => line.includes('"run_end"'));
        const peak = peakMiB(program.pid);
        const { code, stdout, stderr } = await program.ended;
        assert.equal(code, 0, stderr);
        const messages = only(checkedRecords(stdout), "diagnostic").map((one) => `${one.message}`);
        assert.match(
          messages[0]!,
          /^the conversation of about \d+ tokens is more than one request/,
        );
        assert.ok(summaries.length > 3 && summaries.length <= 17, `${summaries.length} parts`);
        assert.match(summaries.at(-1)!, new RegExp(`summary ${summaries.length - 1}\\\\n`));
        for (const text of summaries) assert.ok(text.length < 500_000);
        const last = provider.requests.at(-1)!.text;
        assert.ok(last.length < 300_000 && last.includes(`summary ${summaries.length}`));
        const lines = (await Deno.readTextFile(file)).trimEnd().split("\n");
        const added = lines.slice(-summaries.length - 2).map((line) => JSON.parse(line).kind);
        assert.deepEqual(added, ["user", ...summaries.map(() => "compaction"), "assistant"]);
        assert.ok(peak <= mostMiB, `${peak} MiB`);
      });
    } finally {
      await provider.close();
    }
  },
);

/** Writes a session of about so many megabytes; gives its path. */
async function writeLongSession(home: string, workspace: string, id: string, megabytes: number) {
  const folder = `${home}/.nimlet/sessions`;
  await Deno.mkdir(folder, { recursive: true });
  const path = `${folder}/${id}.jsonl`;
  using file = await Deno.open(path, { createNew: true, write: true });
  const write = (record: unknown) => file.writeSync(encoder.encode(`${JSON.stringify(record)}\n`));
  write({ ...header(await Deno.realPath(workspace)), id });
  write(user("do the work"));
  const output = "a line of output\n".repeat(2500);
  for (let at = 0; at < megabytes * 1e6 / output.length; at++) {
    write(calls(`c${at}`));
    write(result(`c${at}`, `${at}\n${output}`));
  }
  write(says("so far"));
  return path;
}

const encoder = new TextEncoder();
