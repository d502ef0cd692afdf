import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { callAnswer, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { runShell } from "../support/shell.ts";
import { contentOf, messagesOf, startStrictServer } from "../support/strict_server.ts";
import { type Need, testWhere } from "../support/test_where.ts";

/** A server that answers with the user messages that it was sent. */
function echoServer() {
  return startStrictServer(({ body }) =>
    textAnswer(
      "chat",
      messagesOf(body).filter(({ role }) => role === "user").map(contentOf).join("|"),
    )
  );
}

function sessionFiles(home: string): string[] {
  const folder = `${home}/.nimlet/sessions`;
  return [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`)
    .filter((path) => path.endsWith(".jsonl")).sort();
}

Deno.test("two runs at once in one folder have sessions of their own, and each goes on", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = [...await pointAt(home, server.url), "--mode", "json"];
      const both = await Promise.all(
        ["a", "b"].map((word) => runProgram([...flags, word], { cwd: workspace })),
      );
      const ids = both.map(({ stdout }) => String(checkedRecords(stdout)[0]!.session_id));
      assert.notEqual(ids[0], ids[1]);
      for (const [index, word] of ["a", "b"].entries()) {
        const next = await runProgram([...flags, "--session", ids[index]!, "more"], {
          cwd: workspace,
        });
        const records = checkedRecords(next.stdout);
        assert.deepEqual([records[0]!.session_id, records[0]!.resumed], [ids[index], true]);
        assert.equal(only(records, "message").at(-1)!.content, `${word}|more`);
        assert.deepEqual(only(records, "run_end")[0]!.usage, {
          input_tokens: 11,
          output_tokens: 7,
        });
      }
      const latest = await runProgram([...flags, "--resume", "again"], { cwd: workspace });
      assert.equal(only(checkedRecords(latest.stdout), "message").at(-1)!.content, "b|more|again");
      assert.equal(sessionFiles(home).length, 2);
    });
  } finally {
    await server.close();
  }
});

Deno.test("session files are private, whole lines, and only where they are wanted", async () => {
  await withScratch(async ({ workspace, home, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [call("bash", { command: "echo x" }), say("y")]);
    const none = await runProgram([...play, "--no-session", "-p", "x"], { cwd: workspace });
    assert.deepEqual([none.code, none.stderr], [0, ""]);
    assert.throws(() => Deno.statSync(`${home}/.nimlet`));
    await runProgram([...play, "-p", "x"], { cwd: workspace });
    const [path] = sessionFiles(home);
    assert.equal(Deno.statSync(path!).mode! & 0o777, 0o600);
    assert.equal(Deno.statSync(`${home}/.nimlet/sessions`).mode! & 0o777, 0o700);
    const kinds = (await Deno.readTextFile(path!)).trimEnd().split("\n")
      .map((line) => JSON.parse(line).kind);
    assert.deepEqual(kinds, ["session", "user", "assistant", "tool_result", "assistant"]);
  });
});

Deno.test("what cannot be continued is exit status 1, with closing records", async () => {
  await withScratch(async ({ workspace, outside, home, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("y"), say("z")]);
    const empty = await runProgram([...play, "--resume", "-p", "x"], { cwd: workspace });
    assert.equal(empty.code, 1);
    assert.match(empty.stderr, /^nimlet: --resume: there is no session of [^\n]+\n$/);

    await runProgram([...play, "-p", "x"], { cwd: workspace });
    const id = sessionFiles(home)[0]!.split("/").at(-1)!.replace(".jsonl", "");
    const old = { kind: "session", version: 1, id: "old", workspace, created: "2026-01-31" };
    await Deno.writeTextFile(`${home}/.nimlet/sessions/old.jsonl`, `${JSON.stringify(old)}\n`);
    const cases: [args: string[], cwd: string, problem: RegExp][] = [
      [["--session", "nope"], workspace, /nope/],
      [["--session", "old"], workspace, /old\.jsonl has version 1 of the format, .*new session$/m],
      [["--resume"], outside, /no session/],
    ];
    for (const [args, cwd, problem] of cases) {
      const { code, stdout, stderr } = await runProgram([...play, ...args, "--mode", "json", "x"], {
        cwd,
      });
      assert.equal(code, 1, args.join(" "));
      assert.match(stderr, problem);
      assert.match(stderr, /^nimlet: [^\n]+\n$/);
      const records = checkedRecords(stdout);
      assert.deepEqual(records.map(({ type }) => type), ["session_start", "error", "session_end"]);
      assert.equal(only(records, "error")[0]!.code, "session");
    }
    const there = await runProgram([...play, "--cwd", workspace, "--session", id, "-p", "x"], {
      cwd: outside,
    });
    assert.deepEqual([there.code, there.stdout], [0, "y\n"], there.stderr);
  });
});

Deno.test("results recorded in another order than the calls are sent in the order of the calls", async () => {
  const reads = ["a", "b", "c"].map((name) => ({
    id: `call_${name}`,
    name: "read",
    input: { path: `${name}.txt` },
  }));
  const server = startStrictServer(({ body }) =>
    messagesOf(body).some(({ role }) => role === "tool")
      ? textAnswer("chat", "read")
      : callAnswer("chat", reads)
  );
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      for (const name of ["a", "b", "c"]) {
        await Deno.writeTextFile(`${workspace}/${name}.txt`, `text of ${name}\n`);
      }
      await runProgram([...flags, "-p", "read them"], { cwd: workspace });
      const [path] = sessionFiles(home);
      const lines = (await Deno.readTextFile(path!)).trimEnd().split("\n");
      const isResult = (line: string) => JSON.parse(line).kind === "tool_result";
      const results = lines.filter(isResult).sort().reverse();
      assert.deepEqual(
        results.map((line) => JSON.parse(line).tool_id),
        ["call_c", "call_b", "call_a"],
      );
      const mixed = lines.map((line) => isResult(line) ? results.shift()! : line);
      await Deno.writeTextFile(path!, `${mixed.join("\n")}\n`);
      const next = await runProgram([...flags, "--resume", "-p", "go on"], { cwd: workspace });
      assert.equal(next.code, 0, next.stderr);
      const sent = messagesOf(server.requests.at(-1)!.body).filter(({ role }) => role === "tool");
      assert.deepEqual(
        sent.map((message) => [message.tool_call_id, contentOf(message).match(/text of \w/)?.[0]]),
        [["call_a", "text of a"], ["call_b", "text of b"], ["call_c", "text of c"]],
      );
      assert.deepEqual(server.refusals, []);
    });
  } finally {
    await server.close();
  }
});

Deno.test("the conversations of a folder that was renamed can be continued in it", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ outside, home }) => {
      const flags = [...await pointAt(home, server.url), "-p"];
      const [before, after] = [`${outside}/before`, `${outside}/after`];
      await Deno.mkdir(before);
      const env = { HOME: home };
      await runProgram([...flags, "one"], { cwd: before, env });
      const id = sessionFiles(home)[0]!.split("/").at(-1)!.replace(".jsonl", "");
      await Deno.rename(before, after);
      const unknown = await runProgram([...flags, "--resume", "two"], { cwd: after, env });
      assert.equal(unknown.code, 1);
      assert.match(
        unknown.stderr,
        new RegExp(`continue that of ${before}, which no longer exists, with --session ${id}\n$`),
      );
      const moved = await runProgram([...flags, "--session", id, "two"], { cwd: after, env });
      assert.deepEqual([moved.code, moved.stdout], [0, "one|two\n"]);
      assert.equal(
        moved.stderr,
        `nimlet: session ${id} was in ${before}, which no longer exists; from here on it is in ${after}, and its tools work there\n`,
      );
      const next = await runProgram([...flags, "--resume", "three"], { cwd: after, env });
      assert.deepEqual([next.code, next.stdout, next.stderr], [0, "one|two|three\n", ""]);
    });
  } finally {
    await server.close();
  }
});

Deno.test("a session in use is refused to a second process, and free after it", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      const rpc = startRpc(flags, workspace);
      const id = String((await rpc.next("session_start")).session_id);
      await rpc.ask("prompt", { message: "x".repeat(200_000) });
      await rpc.next("run_end");
      for (let turn = 0; turn < 5; turn++) {
        const second = runProgram([...flags, "--session", id, "-p", "y"], { cwd: workspace });
        await rpc.ask("prompt", { message: "x".repeat(200_000) });
        await rpc.next("run_end");
        const { code, stderr } = await second;
        assert.equal(code, 1);
        assert.match(stderr, /in use by another process/);
      }
      rpc.program.kill("SIGKILL");
      await rpc.program.ended;
      const after = await runProgram([...flags, "--session", id, "-p", "y"], { cwd: workspace });
      assert.equal(after.code, 0, after.stderr);
      for (const line of (await Deno.readTextFile(sessionFiles(home)[0]!)).trimEnd().split("\n")) {
        JSON.parse(line);
      }
    });
  } finally {
    await server.close();
  }
});

Deno.test("damage in the middle of a file loses no later record silently", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      await runProgram([...flags, "-p", "first"], { cwd: workspace });
      const path = sessionFiles(home)[0]!;
      const user = (text: string) =>
        JSON.stringify({ kind: "user", content: [{ type: "text", text }] });
      const damage: [text: string, isTold: boolean][] = [
        ["\0".repeat(400), true],
        [`{"kind":"user","content":[{"type":"te${user("glued")}`, true],
        ["", false],
        ['{"kind":"hologram","x":1}', true],
        [JSON.stringify({ kind: "hologram", x: "y".repeat(20_000_000) }), false],
        ['{"kind":"user","content":5}', true],
      ];
      for (const [text] of damage) {
        await Deno.writeTextFile(path, `${text}\n`, { append: true });
      }
      await Deno.writeTextFile(path, `${user("after")}\n{"kind":"user","cont`, { append: true });
      const next = await runProgram([...flags, "--resume", "--mode", "json", "last"], {
        cwd: workspace,
      });
      assert.equal(next.code, 0, next.stderr);
      const records = checkedRecords(next.stdout);
      assert.equal(only(records, "message").at(-1)!.content, "first|glued|after|last");
      const told = only(records, "diagnostic").map(({ message }) => message).join("\n");
      for (const line of ["line 4", "line 5", "line 9"]) assert.match(told, new RegExp(line));
      assert.match(told, /hologram/);
      assert.match(told, /recovery-/);
      assert.equal([...Deno.readDirSync(`${home}/.nimlet/sessions`)].length, 2);
      const again = await runProgram([...flags, "--resume", "-p", "z"], { cwd: workspace });
      assert.equal(again.stdout, "first|glued|after|last|z\n");
    });
  } finally {
    await server.close();
  }
});

Deno.test("sessions of folders with similar names are not mixed up, links are followed", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ root, home }) => {
      const flags = [...await pointAt(home, server.url), "-p"];
      const deep = `${root}/${"d".repeat(150)}/${"e".repeat(150)}`;
      const folders = ["a/b-c", "a/b/c", "a.b", "a_b"].map((name) => `${root}/${name}`);
      folders.push(deep);
      for (const folder of folders) {
        await Deno.mkdir(folder, { recursive: true });
        await runProgram([...flags, folder.slice(-6)], { cwd: folder, env: { HOME: home } });
      }
      await Deno.symlink(folders[0]!, `${root}/link`);
      for (const folder of [...folders, `${root}/link`]) {
        const { stdout } = await runProgram([...flags, "--resume", "x"], {
          cwd: folder,
          env: { HOME: home },
        });
        const real = Deno.realPathSync(folder);
        assert.equal(stdout.split("|")[0], real.slice(-6), folder);
      }
    });
  } finally {
    await server.close();
  }
});

Deno.test("a place where nothing can be saved is one warning, and the run goes on", async () => {
  await withScratch(async ({ workspace, home, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo x" }),
      call("bash", { command: "echo y" }),
      say("z"),
    ]);
    await Deno.mkdir(`${home}/.nimlet`);
    await Deno.writeTextFile(`${home}/.nimlet/sessions`, "a file\n");
    const { code, stdout, stderr } = await runProgram([...play, "-p", "x"], { cwd: workspace });
    assert.deepEqual([code, stdout], [0, "z\n"]);
    assert.match(stderr, /^nimlet: session [^\n]+ cannot be saved [^\n]+\n$/);
    const homeless = await runShell(`env -u HOME nimlet ${play.join(" ")} -p x`, {
      root,
      cwd: workspace,
    });
    assert.deepEqual([homeless.code, homeless.stdout], [0, "z\n"], homeless.stderr);
    assert.match(homeless.stderr, /HOME/);
  });
});

Deno.test("fifty runs at once in one folder and one home lose nothing", async () => {
  await withScratch(async ({ workspace, home, root }) => {
    const runs = await Promise.all(Array.from({ length: 50 }, async (_, index) => {
      const play = await cassette(`${root}/c${index}.jsonl`, [
        call("write", { path: `made/${index}.txt`, content: `${index}\n` }),
        call("bash", { command: `echo ${index} >> all.txt` }),
        say(`answer ${index}`),
      ]);
      return await startProgram([...play, "-p", `prompt ${index}`], {
        cwd: workspace,
        limitMs: 120_000,
      }).ended;
    }));
    for (const [index, { code, stdout, stderr }] of runs.entries()) {
      assert.deepEqual([code, stdout, stderr], [0, `answer ${index}\n`, ""]);
      assert.equal(await Deno.readTextFile(`${workspace}/made/${index}.txt`), `${index}\n`);
    }
    const all = (await Deno.readTextFile(`${workspace}/all.txt`)).trimEnd().split("\n");
    assert.equal(new Set(all).size, 50);
    const files = sessionFiles(home);
    assert.equal(files.length, 50);
    const prompts = new Set<string>();
    for (const file of files) {
      const lines = (await Deno.readTextFile(file)).trimEnd().split("\n").map((line) =>
        JSON.parse(line)
      );
      assert.equal(lines.length, 7);
      prompts.add(lines[1].content[0].text);
    }
    assert.equal(prompts.size, 50);
  });
});

/** Whether a small file system may be mounted, which also takes more than root in a container. */
const mounts: Need = {
  reason: "needs the right to mount a file system",
  met: await withScratch(async ({ root }) => {
    const run = (program: string, ...args: string[]) =>
      new Deno.Command(program, { args: [...args, root], stderr: "null" }).output();
    const mounted = await run("mount", "-t", "tmpfs", "none").catch(() => undefined);
    if (mounted?.success) await run("umount");
    return mounted?.success === true;
  }),
};

testWhere(
  mounts,
  "a disk that fills up is one warning; what is in the file stays whole",
  async () => {
    await withScratch(async ({ workspace, home, root }) => {
      const disk = `${root}/disk`;
      await Deno.mkdir(disk);
      const mount = (...args: string[]) =>
        new Deno.Command("mount", { args, stderr: "null" }).output();
      assert.ok((await mount("-t", "tmpfs", "-o", "size=64k", "none", disk)).success);
      try {
        await Deno.mkdir(`${home}/.nimlet`);
        await Deno.writeTextFile(
          `${home}/.nimlet/config.json`,
          JSON.stringify({ agent: { session_dir: disk } }),
        );
        const fill = call("bash", { command: "head -c 20000 /dev/zero | tr '\\0' x" });
        const play = await cassette(`${root}/c.jsonl`, [fill, fill, fill, fill, fill, say("done")]);
        const { code, stdout, stderr } = await runProgram([...play, "-p", "x"], { cwd: workspace });
        assert.deepEqual([code, stdout], [0, "done\n"]);
        assert.match(stderr, /^nimlet: session [^\n]+ cannot be saved [^\n]+\n$/);
        const [file] = [...Deno.readDirSync(disk)];
        const text = await Deno.readTextFile(`${disk}/${file!.name}`);
        const kinds = text.trimEnd().split("\n").map((line) => JSON.parse(line).kind);
        assert.ok(kinds.filter((kind) => kind === "tool_result").length >= 2);

        await mount("-o", "remount,size=1m", disk);
        const again = await cassette(`${root}/d.jsonl`, [say("on")]);
        const next = await runProgram([...again, "--resume", "-p", "x"], { cwd: workspace });
        assert.deepEqual([next.code, next.stdout], [0, "on\n"], next.stderr);
      } finally {
        await new Deno.Command("umount", { args: [disk] }).output();
      }
    });
  },
);
