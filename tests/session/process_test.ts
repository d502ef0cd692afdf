/** The tests of sessions with real processes: killed, several at once, out of room. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { listSessions } from "../../src/session/list_sessions.ts";
import { createSession, openSession } from "../../src/session/session.ts";
import { ordinaryUser, testWhere } from "../support/test_where.ts";
import { linesOf, type SessionFolder, user, withSessions } from "./session_folder.ts";

const writer = fileURLToPath(new URL("./writer_program.ts", import.meta.url));
const config = fileURLToPath(new URL("../../deno.json", import.meta.url));

function writerArgs(folder: SessionFolder, ref: string, count: number, bytes: number): string[] {
  return [
    "run",
    "--no-check",
    "--config",
    config,
    "-A",
    writer,
    folder.dir,
    folder.workspace,
    ref,
    `${count}`,
    `${bytes}`,
  ];
}

function startWriter(folder: SessionFolder, ref: string, count: number, bytes: number) {
  const child = new Deno.Command(Deno.execPath(), {
    args: writerArgs(folder, ref, count, bytes),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { child, lines: linesIn(child.stdout) };
}

/** Lines as they come; the last one counts only where it is whole. */
async function* linesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

Deno.test("a writer killed at any instant leaves a session that loses nothing it announced", async () => {
  await withSessions(async (folder) => {
    let announced = 0;
    for (let round = 0; round < 30; round++) {
      // large records are in the middle of their write more often than not
      const bytes = round % 2 === 0 ? 20_000 : 4_000_000;
      const { child, lines } = startWriter(folder, "new", 100_000, bytes);
      const killAfter = Math.floor(Math.random() * (round % 2 === 0 ? 60 : 3));
      const done: string[] = [];
      let id = "", killed = false;
      for await (const line of lines) {
        if (line.startsWith("open ")) id = line.slice(5);
        if (line.startsWith("done ")) done.push(line.slice(5));
        if (!killed && done.length === killAfter) {
          // not in step with the writer: anywhere within its next few records
          const until = performance.now() + Math.random() * 20;
          while (performance.now() < until);
          child.kill("SIGKILL");
          killed = true;
        }
      }
      await child.status;
      if (done.length === 0 && listSessions(folder.dir).every((session) => session.id !== id)) {
        continue; // killed before there was a file
      }
      const { session, history } = await openSession(id, folder);
      const results = new Set(
        history.messages.flatMap((message) =>
          message.role === "tool_result" && !message.isError ? [message.toolId] : []
        ),
      );
      for (const call of done) assert.ok(results.has(call), `round ${round} lost ${call}`);
      announced += done.length;
      await session.append(user("again"));
      session.close();
      assert.equal(linesOf(session.path!).at(-1)!.kind, "user");
    }
    assert.ok(announced > 100, `only ${announced} announced`);
  });
});

Deno.test("of two processes that resume one session the second is refused, lists still work", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    await session.append(user("go"));
    session.close();
    const both = [0, 1].map(() => startWriter(folder, session.id, 20, 200_000));
    const ends = await Promise.all(both.map(async ({ child, lines }) => {
      const told: string[] = [];
      for await (const line of lines) {
        told.push(line);
        assert.equal(listSessions(folder.dir).length, 1);
      }
      await child.status;
      return told;
    }));
    const whole = ends.filter((told) => told.at(-1) === "end");
    const refused = ends.filter((told) => /^failed session .* is in use/.test(told.at(-1)!));
    // one may be over before the other begins
    assert.ok(whole.length >= 1);
    assert.equal(whole.length + refused.length, 2, JSON.stringify(ends));
    const lines = linesOf(session.path!);
    assert.equal(lines.length, 2 + 40 * whole.length);
  });
});

Deno.test("runs at once in one folder each keep a session of their own", async () => {
  await withSessions(async (folder) => {
    const runs = Array.from({ length: 8 }, () => startWriter(folder, "new", 5, 5000));
    const ends = await Promise.all(runs.map(async ({ child, lines }) => {
      const told = await Array.fromAsync(lines);
      await child.status;
      return told;
    }));
    for (const told of ends) assert.equal(told.at(-1), "end");
    const sessions = listSessions(folder.dir);
    assert.equal(sessions.length, 8);
    for (const { path } of sessions) assert.equal(linesOf(path).length, 11);
  });
});

Deno.test("a session out of room warns once, leaves no half line, and the run goes on", async () => {
  await withSessions(async (folder) => {
    // A limit on the size of a file fails a write part-way, as a full disk does.
    const { stdout } = await new Deno.Command("sh", {
      args: [
        "-c",
        `trap '' XFSZ; ulimit -f 128; exec "$0" "$@"`,
        Deno.execPath(),
        ...writerArgs(folder, "new", 50, 5000),
      ],
      stdin: "null",
      stderr: "inherit",
    }).output();
    const told = new TextDecoder().decode(stdout).trim().split("\n");
    assert.equal(told.at(-1), "end");
    assert.equal(told.filter((line) => line.startsWith("done ")).length, 50);
    const warnings = told.filter((line) => line.startsWith("! "));
    assert.equal(warnings.length, 1, warnings.join("\n"));
    assert.match(warnings[0]!, /cannot be saved in .*: .*; the run goes on/);

    const [summary] = listSessions(folder.dir);
    const before = linesOf(summary!.path);
    assert.ok(before.length > 5 && before.length < 100);
    const { session, history } = await openSession(summary!.id, folder);
    assert.ok(history.notices.every((notice) => !notice.includes("line")));
    await session.append(user("more"));
    session.close();
    assert.equal(linesOf(summary!.path).length, before.length + 1);
  });
});

Deno.test("a folder that cannot be made is told once; what was said is saved when it can be", async () => {
  await withSessions(async (folder) => {
    await Deno.writeTextFile(folder.dir, "in the way");
    const session = createSession(folder);
    await session.append(user("one"));
    await session.append(user("two"));
    assert.equal(session.exists, false);
    assert.equal(folder.told.length, 1);
    assert.match(folder.told[0]!, /^warning: session .* cannot be saved in/);
    await Deno.remove(folder.dir);
    await session.append(user("three"));
    await session.settle();
    session.close();
    assert.match(folder.told[1]!, /^info: session .* is saved again/);
    assert.deepEqual(
      linesOf(session.path!).map((line) => line.kind),
      ["session", "user", "user", "user"],
    );
  });
});

testWhere(
  ordinaryUser,
  "a session whose file is read-only is read, and a notice says that it is not saved",
  async () => {
    await withSessions(async (folder) => {
      const first = createSession(folder);
      await first.append(user("one"));
      first.close();
      await Deno.chmod(first.path!, 0o400);
      const { session, history } = await openSession(first.id, folder);
      await session.append(user("two"));
      session.close();
      assert.equal(history.messages.length, 1);
      assert.equal(folder.told.length, 1);
      assert.match(folder.told[0]!, /read-only; the run goes on without saving/);
    });
  },
);
