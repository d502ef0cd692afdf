/** Sessions from scripts: listed, exported, deleted, named and found, through the program. */
import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { runProgram, startWithInput, withScratch } from "../support/program.ts";
import { checkedRecords } from "../support/records.ts";

interface Place {
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  /** Runs the program, wants exit status 0, and gives what it wrote. */
  run(...args: string[]): Promise<{ stdout: string; stderr: string }>;
  /** A run of one prompt; gives the session's id. */
  prompt(args: string[], cwd?: string): Promise<string>;
  /** One that is refused; gives stderr. */
  refused(code: number, ...args: string[]): Promise<string>;
}

async function withPlace(use: (place: Place) => Promise<void>): Promise<void> {
  await withScratch(async ({ root, workspace, outside, home }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo hi" }),
      say("y"),
    ]);
    await use({
      workspace,
      outside,
      home,
      async run(...args) {
        const { code, ...rest } = await runProgram(args, { cwd: workspace });
        assert.equal(code, 0, rest.stderr);
        return rest;
      },
      async prompt(args, cwd = workspace) {
        const { code, stdout, stderr } = await runProgram([...play, ...args, "--mode", "json"], {
          cwd,
        });
        assert.equal(code, 0, stderr);
        return String(checkedRecords(stdout)[0]!.session_id);
      },
      async refused(expected, ...args) {
        const { code, stdout, stderr } = await runProgram(args, { cwd: workspace });
        assert.deepEqual([code, stdout], [expected, ""], stderr);
        assert.match(stderr, /^nimlet: [^\n]+\n$/);
        return stderr;
      },
    });
  });
}

Deno.test("sessions are listed for people and programs, this folder's or all", async () => {
  await withPlace(async ({ run, prompt, workspace, outside }) => {
    const none = await run("--list-sessions");
    assert.equal(none.stdout, "");
    assert.match(none.stderr, /^nimlet: there is no session of .*\/W yet; --all lists/);
    assert.deepEqual(JSON.parse((await run("--list-sessions", "--mode", "json")).stdout), {
      sessions: [],
    });

    const first = await prompt(["--name", "night ly", "one\ntwo"]);
    const second = await prompt(["three"], outside);
    const third = await prompt(["four"]);
    const lines = (await run("--list-sessions")).stdout.split("\n");
    assert.deepEqual([lines.length, lines[2]], [3, ""]);
    assert.match(lines[0]!, new RegExp(`^${third}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  four$`));
    assert.match(lines[1]!, new RegExp(`^${first}  .*  night ly$`));
    const all = (await run("--list-sessions", "--all")).stdout;
    assert.match(all, new RegExp(`^${second}  \\S+ \\S+  ${outside}  three$`, "m"));
    assert.equal(all.trimEnd().split("\n").length, 3);
    const { sessions } = JSON.parse((await run("--list-sessions", "--all", "--mode=json")).stdout);
    const { created, updated, bytes, path, ...known } = sessions[2];
    assert.deepEqual(known, { id: first, name: "night ly", prompt: "one two", workspace });
    assert.equal(bytes, (await Deno.stat(path)).size);
    assert.ok(Date.parse(created) <= Date.parse(updated) + 1);
  });
});

Deno.test("a session is exported as a page, as Markdown and as its records, and replaces nothing", async () => {
  await withPlace(async ({ run, prompt, refused, workspace, home }) => {
    const id = await prompt(["--name", "n", "do it"]);
    const page = await run("--export-session", "n", "a.html");
    assert.equal(page.stdout, `${workspace}/a.html\n`);
    assert.match(await Deno.readTextFile(`${workspace}/a.html`), /^<!doctype html>/);
    await run("--export-session", id.slice(0, 20), `${workspace}/a.md`);
    const markdown = await Deno.readTextFile(`${workspace}/a.md`);
    assert.match(markdown, /^# n\n/);
    assert.match(markdown, /\n### bash `echo hi`\n[\s\S]*stdout:\nhi\n/);
    const records = await run("--export-session", id, "a.jsonl", "--mode", "json");
    assert.deepEqual(JSON.parse(records.stdout), { exported: `${workspace}/a.jsonl` });
    const own = `${home}/.nimlet/sessions/${id}.jsonl`;
    assert.equal(
      await Deno.readTextFile(`${workspace}/a.jsonl`),
      await Deno.readTextFile(own),
    );
    for (const name of ["a.html", "a.md", "a.jsonl"]) {
      assert.match(await refused(2, "--export-session", id, name), /is there already/);
    }
    assert.match(await refused(2, "--export-session", id, "a.pdf"), /ends in \.html, \.md or/);
    assert.match(await refused(2, "--export-session", id), /expected one FILE .* found none/);
    assert.match(await refused(2, "--export-session", id, "a", "b"), /found "a b"/);
    assert.match(await refused(1, "--export-session", "nope", "b.md"), /no session "nope"/);
    assert.match(
      await refused(1, "--export-session", id, "no/b.md.html/c.jsonl"),
      /cannot be written/,
    );
  });
});

Deno.test("a session is deleted with what was kept beside it, unless it is in use or ill named", async () => {
  await withPlace(async ({ run, prompt, refused, workspace, outside, home }) => {
    const id = await prompt(["x"]), kept = await prompt(["x"], outside);
    const folder = `${home}/.nimlet/sessions`;
    await Deno.writeTextFile(`${folder}/${id}.jsonl.recovery-1`, "x");
    await Deno.copyFile(`${folder}/${id}.jsonl`, `${workspace}/copy.jsonl`);
    assert.match(await refused(1, "--delete-session", "20"), /2 sessions start with "20"/);
    assert.match(await refused(2, "--delete-session", "./copy.jsonl"), /expected a session in/);
    assert.match(await refused(2, "--delete-session", id, "word"), /takes no prompt/);
    assert.equal((await run("--delete-session", id)).stdout, `${id}\n`);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), [`${kept}.jsonl`]);
    assert.match(await refused(2, "--delete-session", "20"), /expected at least 8 characters/);
    assert.match(await refused(1, "--delete-session", id), /no session/);

    const rpc = startWithInput([
      "--mode",
      "rpc",
      "--session",
      kept,
      "--provider",
      "replay",
      "--model",
      `${workspace}/../c.jsonl`,
    ], {
      cwd: outside,
    });
    await rpc.waitFor((line) => line.includes("session_start"));
    assert.match(await refused(1, "--delete-session", kept), /is in use by another process/);
    await rpc.closeInput();
    await rpc.ended;
    const deleted = await run("--delete-session", kept.slice(0, 8), "--mode", "json");
    assert.deepEqual(JSON.parse(deleted.stdout), { deleted: kept });
  });
});

Deno.test("a session of another folder goes on here, after a line that names both", async () => {
  await withPlace(async ({ prompt, workspace, outside, home, run }) => {
    const id = await prompt(["--name", "moving", "x"], outside);
    const play = ["--provider", "replay", "--model", `${workspace}/../c.jsonl`];
    const { stderr, stdout } = await run(...play, "-p", "--session", "moving", "y");
    assert.equal(stdout, "y\n");
    assert.equal(
      stderr,
      `nimlet: session ${id} was in ${outside}; from here on it is in ${workspace}, and its tools work there\n`,
    );
    const { sessions } = JSON.parse((await run("--list-sessions", "--mode", "json")).stdout);
    assert.deepEqual([sessions[0].id, sessions[0].workspace], [id, workspace]);
    assert.equal([...Deno.readDirSync(`${home}/.nimlet/sessions`)].length, 1);
  });
});

Deno.test("a name that lists could not show is refused, and a name is for a session that begins", async () => {
  await withPlace(async ({ refused }) => {
    assert.match(
      await refused(2, "-p", "--name", "x".repeat(201), "y"),
      /at most 200 .* found 201/,
    );
    assert.match(await refused(2, "-p", "--name", "a\nb", "y"), /found a line end or control/);
    assert.match(await refused(2, "-p", "--name", "a", "--resume", "y"), /exclude each other/);
    assert.match(await refused(2, "-p", "--no-session", "--name", "a", "y"), /exclude each other/);
    assert.match(await refused(2, "--all", "-p", "y"), /--all goes with --list-sessions/);
    assert.match(await refused(2, "--list-sessions", "what"), /takes no prompt, found what/);
    assert.match(await refused(2, "--list-sessions", "--doctor"), /exclude each other/);
  });
});

Deno.test("--resume with the id of a session, or 8 characters of it, means that session", async () => {
  await withPlace(async ({ prompt, refused, workspace, home }) => {
    const play = await cassette(`${home}/say.jsonl`, [say("z")]);
    const resumed = async (...args: string[]) => {
      const { code, stdout, stderr } = await runProgram([...play, "--mode", "json", ...args], {
        cwd: workspace,
      });
      assert.equal(code, 0, stderr);
      const records = checkedRecords(stdout);
      const { content } = records.find(({ type }) => type === "message")!;
      return [records[0]!.session_id, content];
    };
    const first = await prompt(["one"]);
    assert.deepEqual(await resumed("--resume", first.slice(0, 8), "go", "on"), [first, "go on"]);
    const second = await prompt(["two"]);
    assert.deepEqual(await resumed("-c", first, "go on"), [first, "go on"]);
    assert.deepEqual(await resumed("--continue", second.slice(0, 23), "go on"), [second, "go on"]);
    // behind -- and where no session is meant it is text
    assert.deepEqual(await resumed("-c", "--", first), [second, first]);
    assert.deepEqual(await resumed("-c", "20000101", "on"), [second, "20000101 on"]);
    const several = await refused(1, ...play, "-p", "--resume", first.slice(0, 8), "go on");
    assert.match(several, /2 sessions start with .*; give the whole id of one$/m);
    assert.match(await refused(2, ...play, "-p", "--resume", first), /no prompt/);
  });
});
