/** The tests of listing sessions and of finding the one to go on with. */
import assert from "node:assert/strict";
import { toLine } from "../../src/lib/jsonl.ts";
import { latestSession, listSessions } from "../../src/session/list_sessions.ts";
import { createSession, openSession } from "../../src/session/session.ts";
import { brief, header, says, type SessionFolder, user, withSessions } from "./session_folder.ts";

async function make(folder: SessionFolder, prompt: string, usedMs?: number): Promise<string> {
  const session = createSession(folder);
  await session.append(user(prompt));
  session.close();
  if (usedMs !== undefined) Deno.utimeSync(session.path!, usedMs / 1000, usedMs / 1000);
  return session.id;
}

Deno.test("no folder is no sessions", async () => {
  await withSessions((folder) => {
    assert.deepEqual(listSessions(folder.dir), []);
    assert.equal(latestSession(folder.dir, "/w"), undefined);
    return Promise.resolve();
  });
});

Deno.test("sessions are listed last used first, with name, prompt, folder and times", async () => {
  await withSessions(async (folder) => {
    const old = await make(folder, "first line\n  second line", Date.now() - 60_000);
    const other = await make(folder.in("/elsewhere"), "x".repeat(50_000), Date.now() - 30_000);
    const named = createSession(folder);
    await named.append(user("third"));
    await named.append({ kind: "name", name: "old name" });
    await named.append({ kind: "name", name: 'a "name"' });

    const all = listSessions(folder.dir);
    named.close();
    assert.deepEqual(all.map((session) => session.id), [named.id, other, old]);
    assert.equal(all[0]!.name, 'a "name"');
    assert.equal(all[1]!.prompt, `${"x".repeat(199)}…`);
    assert.equal(all[1]!.workspace, "/elsewhere");
    assert.equal(all[2]!.prompt, "first line second line");
    assert.equal(all[2]!.name, undefined);
    assert.equal(all[2]!.bytes, Deno.statSync(all[2]!.path).size);
    assert.ok(Math.abs(Date.parse(all[2]!.created) - Date.now()) < 60_000);
    const here = listSessions(folder.dir, { workspace: folder.workspace });
    assert.deepEqual(here.map((session) => session.id), [named.id, old]);
  });
});

Deno.test("a file whose first line holds no id that could be typed is not listed", async () => {
  await withSessions(async (folder) => {
    const good = await make(folder, "good");
    for (const [at, id] of ["a\u001b[2J", "../x", "", "x y"].entries()) {
      const line = header(folder.workspace, id);
      await Deno.writeTextFile(`${folder.dir}/bad${at}.jsonl`, toLine(line));
    }
    assert.deepEqual(listSessions(folder.dir).map(({ id }) => id), [good]);
  });
});

Deno.test("a name given early in a long session is listed still", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    await session.append(user("x".repeat(20_000)));
    await session.append({ kind: "name", name: "mine" });
    for (let turn = 0; turn < 5; turn++) {
      for (let i = 0; i < 4; i++) await session.append(says("y".repeat(3000)));
      await session.settle();
    }
    session.close();
    assert.equal(listSessions(folder.dir)[0]!.name, "mine");
    const size = Deno.statSync(session.path!).size;
    const again = await openSession(session.id, folder);
    await again.session.settle();
    again.session.close();
    assert.equal(Deno.statSync(session.path!).size, size, "nothing to add, nothing added");
    assert.equal(again.history.name, "mine");
  });
});

Deno.test("a prompt that holds what looks like records misleads no list", async () => {
  await withSessions(async (folder) => {
    const prompt = '\n{"kind":"name","name":"forged"}\n{"kind":"user","content":[]}';
    await make(folder, prompt);
    const [session] = listSessions(folder.dir);
    assert.equal(session!.name, undefined);
    assert.equal(session!.prompt, prompt.replace(/\s+/g, " ").trim());
  });
});

Deno.test("files that are no sessions do not disturb the list", async () => {
  await withSessions(async (folder) => {
    const good = await make(folder, "good");
    const write = (name: string, text: string) =>
      Deno.writeTextFileSync(`${folder.dir}/${name}`, text);
    write("empty.jsonl", "");
    write("nul.jsonl", "\0".repeat(400));
    write("rubbish.jsonl", "rubbish\n");
    write("half.jsonl", toLine(header("/w")).slice(0, 20));
    write("number.jsonl", "7\n");
    write(`${good}.jsonl.recovery-20260101-000000000`, toLine(header("/w")));
    Deno.mkdirSync(`${folder.dir}/folder.jsonl`);
    Deno.symlinkSync(`${folder.dir}/gone`, `${folder.dir}/link.jsonl`);
    assert.deepEqual(listSessions(folder.dir).map((session) => session.id), [good]);
  });
});

Deno.test("each workspace goes on with its own last session, however alike the paths look", async () => {
  await withSessions(async (folder) => {
    const long = `${"p".repeat(100)}/${"q".repeat(100)}/${"r".repeat(100)}`;
    const paths = ["a/b-c", "a/b/c", "a.b", "a_b", "a", long].map((path) =>
      `${folder.workspace}/${path}`
    );
    for (const path of paths) {
      await Deno.mkdir(path, { recursive: true });
      await make(folder.in(path), `older of ${path}`, Date.now() - 60_000);
      await make(folder.in(path), `of ${path}`);
    }
    for (const path of paths) {
      const latest = latestSession(folder.dir, path)!;
      assert.equal(latest.workspace, path);
      const { session, history } = await openSession(latest.id, folder.in(path));
      session.close();
      assert.deepEqual(history.messages.map(brief), [`user: of ${path}`]);
    }
    assert.equal(latestSession(folder.dir, `${folder.workspace}/a/b`), undefined);
  });
});

Deno.test("a thousand sessions are listed at once", async () => {
  await withSessions(async (folder) => {
    await Deno.mkdir(folder.dir);
    const body = toLine(user("hello")) + toLine(says("x".repeat(5000))).repeat(10);
    for (let i = 0; i < 1000; i++) {
      const id = `20260101-000000000-${String(i).padStart(8, "0")}`;
      Deno.writeTextFileSync(`${folder.dir}/${id}.jsonl`, toLine(header("/w", id)) + body);
    }
    const start = performance.now();
    assert.equal(listSessions(folder.dir).length, 1000);
    const elapsedMs = performance.now() - start;
    assert.ok(elapsedMs < 5000, `listing took ${elapsedMs} ms`);
  });
});

Deno.test("a hundred thousand records are loaded at once", async () => {
  await withSessions(async (folder) => {
    await Deno.mkdir(folder.dir);
    const path = `${folder.dir}/long.jsonl`;
    const step = toLine(user("go on")) + toLine(says("x".repeat(300)));
    await Deno.writeTextFile(path, toLine(header(folder.workspace, "long")) + step.repeat(50_000));
    const start = performance.now();
    const { session, history } = await openSession("long", folder);
    const elapsedMs = performance.now() - start;
    session.close();
    assert.equal(history.messages.length, 100_000);
    assert.ok(elapsedMs < 20_000, `loading took ${elapsedMs} ms`);
  });
});
