import assert from "node:assert/strict";
import { delay } from "../../src/lib/delay.ts";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, startProgram, withScratch } from "../support/program.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { contentOf, messagesOf, startStrictServer } from "../support/strict_server.ts";

/** More rounds find more: `NIMLET_CRASH_ROUNDS=200`, and `NIMLET_CRASH_SEED` for other instants. */
const rounds = Number(Deno.env.get("NIMLET_CRASH_ROUNDS") ?? 15);
const seed = Number(Deno.env.get("NIMLET_CRASH_SEED") ?? 1);

Deno.test(`killed at ${rounds} random instants, a session loses no announced result and goes on`, async () => {
  const random = randomNumbers(seed);
  const server = startStrictServer(({ body }) => {
    const messages = messagesOf(body);
    const from = messages.findLastIndex(({ role }) => role === "user");
    const round = contentOf(messages[from]);
    const results = messages.slice(from + 1).filter(({ role }) => role === "tool").length;
    const bash = (name: string) => ({
      name: "bash",
      input: { command: `echo ${round} ${name} | tee -a log` },
    });
    const read = { name: "read", input: { path: "seed.txt" } };
    if (round.includes("finish")) return textAnswer("chat", "finished");
    if (results === 0) return callAnswer("chat", [bash("a"), read, read]);
    if (results === 3) return callAnswer("chat", [bash("b")], "Now b.");
    return textAnswer("chat", "done");
  });
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.writeTextFile(`${workspace}/seed.txt`, "seed\n");
      const flags = await pointAt(home, server.url);
      const beganMs = performance.now();
      const first = await runProgram([...flags, "--mode", "json", "finish"], { cwd: workspace });
      const id = JSON.parse(first.stdout.split("\n")[0]!).session_id as string;
      const announced = new Map<string, string>();
      let longestMs = (performance.now() - beganMs) * 3, killed = 0;
      for (let round = 1; round <= rounds; round++) {
        const startMs = performance.now();
        const program = startProgram(
          [...flags, "--session", id, "--mode", "json", `round${round}`],
          { cwd: workspace },
        );
        const timer = setTimeout(() => {
          try {
            program.kill("SIGKILL");
          } catch {
            // it has ended by itself
          }
        }, random() * longestMs);
        const { stdout, signal, code, stderr } = await program.ended;
        clearTimeout(timer);
        if (signal === "SIGKILL") killed++;
        else {
          assert.equal(code, 0, `round ${round} of seed ${seed}: ${stderr}${stdout.slice(-500)}`);
          longestMs = (performance.now() - startMs) * 1.1;
        }
        if (!stdout.includes('"tool_result"')) longestMs *= 1.2;
        for (const line of stdout.split("\n").slice(0, -1)) {
          const record = JSON.parse(line);
          if (record.type === "tool_result") announced.set(record.tool_id, record.output);
        }
      }
      const last = await runProgram([...flags, "--session", id, "-p", "finish"], {
        cwd: workspace,
      });
      assert.deepEqual([last.code, last.stdout], [0, "finished\n"], `seed ${seed}: ${last.stderr}`);
      assert.deepEqual(server.refusals, []);
      const kept = new Map(
        messagesOf(server.requests.at(-1)!.body).filter(({ role }) => role === "tool")
          .map((message) => [String(message.tool_call_id), contentOf(message)]),
      );
      for (const [id, output] of announced) assert.equal(kept.get(id), output, `seed ${seed}`);
      assert.ok(announced.size > 0 && killed > 0, `${killed} of ${rounds} rounds were killed`);
      const [path] = [...Deno.readDirSync(`${home}/.nimlet/sessions`)]
        .filter(({ name }) => name.endsWith(".jsonl")).map(({ name }) => name);
      const text = await Deno.readTextFile(`${home}/.nimlet/sessions/${path}`);
      for (const line of text.trimEnd().split("\n")) JSON.parse(line);
    });
  } finally {
    await server.close();
  }
});

/** Numbers in 0..1 that are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

testWhere(
  posix,
  "a workspace that is deleted while the model answers ends the run as any other",
  async () => {
    await withScratch(async ({ workspace, home }) => {
      const provider = startFakeProvider([
        async () => {
          await Deno.remove(workspace, { recursive: true });
          // with it the thread that watches over the program is started
          return callAnswer("chat", [{ name: "bash", input: { command: "sleep 1" } }]);
        },
        // time for it to fail in
        () => ({ ...textAnswer("chat", "done"), before: delay(1000) }),
      ]);
      try {
        const { code, stdout, stderr } = await runProgram(
          [...await pointAt(home, provider.url), "-p", "x"],
          { cwd: workspace },
        );
        assert.deepEqual([code, stdout, stderr], [0, "done\n", ""]);
      } finally {
        await provider.close();
      }
    });
  },
);
