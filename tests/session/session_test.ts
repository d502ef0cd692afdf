/** The tests of making, resuming and appending to sessions. */
import assert from "node:assert/strict";
import { RunFailure } from "../../src/core/failure.ts";
import type { SessionRecord } from "../../src/core/record.ts";
import { forkSession } from "../../src/session/fork_session.ts";
import { latestSession, listSessions } from "../../src/session/list_sessions.ts";
import { readSession } from "../../src/session/read_session.ts";
import { createSession, openSession, unsavedSession } from "../../src/session/session.ts";
import {
  brief,
  calls,
  header,
  linesOf,
  result,
  says,
  user,
  withSessions,
} from "./session_folder.ts";

const refused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RunFailure);
  assert.equal(error.code, "session");
  assert.match(error.message, pattern);
  return true;
};

Deno.test("an empty conversation leaves no file, the first record makes one", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    assert.throws(() => Deno.statSync(folder.dir), Deno.errors.NotFound);
    assert.equal(session.exists, false);
    await session.append(user("hello"));
    assert.equal(session.exists, true);
    session.close();
    const lines = linesOf(session.path!);
    assert.deepEqual(lines.map((line) => line.kind), ["session", "user"]);
    assert.equal(lines[0]!.workspace, folder.workspace);
    assert.equal(lines[0]!.id, session.id);
  });
});

Deno.test("folder and file are the user's alone", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    await session.append(user("hello"));
    session.close();
    assert.equal(Deno.statSync(folder.dir).mode! & 0o777, 0o700);
    assert.equal(Deno.statSync(session.path!).mode! & 0o777, 0o600);
  });
});

Deno.test("ids are unique, lower case and sort by time", async () => {
  await withSessions((folder) => {
    const ids = Array.from({ length: 200 }, () => createSession(folder).id);
    assert.equal(new Set(ids).size, 200);
    for (const id of ids) assert.match(id, /^\d{8}-\d{9}-[a-z0-9]{8}$/);
    const times = ids.map((id) => id.slice(0, 18));
    assert.deepEqual(times, times.toSorted());
    return Promise.resolve();
  });
});

Deno.test("a session is resumed by id, by the start of its id, and by path", async () => {
  await withSessions(async (folder) => {
    const first = createSession(folder);
    for (const record of [user("run it"), calls("a"), result("a"), says("done")]) {
      await first.append(record);
    }
    first.close();
    for (const ref of [first.id, first.id.toUpperCase(), first.id.slice(0, -3), first.path!]) {
      const { session, history } = await openSession(ref, folder);
      assert.equal(session.id, first.id);
      assert.deepEqual(history.messages.map(brief), [
        "user: run it",
        "assistant: [a]",
        "result a: did a",
        "assistant: done",
      ]);
      assert.deepEqual(history.usage, { input_tokens: 10, output_tokens: 2 });
      assert.deepEqual(history.notices, []);
      session.close();
    }
    const { session } = await openSession(first.id, folder);
    await session.append(user("and again"));
    session.close();
    assert.equal(linesOf(first.path!).length, 6);
  });
});

Deno.test("a session that is not there, or not the only one, is said so", async () => {
  await withSessions(async (folder) => {
    await assert.rejects(openSession("nothing", folder), refused(/no session "nothing"/));
    await assert.rejects(openSession("../x", folder), refused(/no session file "\.\.\/x"/));
    for (let i = 0; i < 2; i++) {
      const session = createSession(folder);
      await session.append(user("x"));
      session.close();
    }
    await assert.rejects(openSession("20", folder), refused(/2 sessions start with "20"/));
  });
});

Deno.test("a session of another folder moves here, after a notice that names both", async () => {
  await withSessions(async (folder) => {
    const there = `${folder.workspace}/there`;
    await Deno.mkdir(there);
    const session = createSession(folder.in(there));
    await session.append(user("x"));
    session.close();
    const here = await openSession(session.id, folder);
    assert.deepEqual(here.history.notices, [
      `session ${session.id} was in ${there}; from here on it is in ${folder.workspace}, ` +
      "and its tools work there",
    ]);
    await here.session.append(user("y"));
    here.session.close();
    assert.equal(latestSession(folder.dir, folder.workspace)?.id, session.id);
    assert.equal(latestSession(folder.dir, there), undefined);
  });
});

Deno.test("a name is recorded with the first message, and finds this folder's session first", async () => {
  await withSessions(async (folder) => {
    const make = async (where: typeof folder, name?: string) => {
      const session = createSession(where, name);
      assert.equal(session.exists, false);
      await session.append(user("x"));
      session.close();
      return session;
    };
    const found = async (ref: string) => {
      const { session, history } = await openSession(ref, folder);
      session.close();
      return [session.id, history.name];
    };
    const other = await make(folder.in("/elsewhere"), "fix/one");
    assert.deepEqual(linesOf(other.path!).map((line) => line.kind), ["session", "name", "user"]);
    assert.deepEqual(await found("fix/one"), [other.id, "fix/one"]);
    const own = await make(folder, "fix/one");
    assert.deepEqual(await found("fix/one"), [own.id, "fix/one"]);
    const odd = await make(folder, own.id.slice(0, 8));
    assert.deepEqual(await found(own.id.slice(0, 8)), [odd.id, own.id.slice(0, 8)]);
    assert.deepEqual(await found(own.id), [own.id, "fix/one"]);
    await make(folder, "fix/one");
    await assert.rejects(found("fix/one"), refused(/2 sessions are named "fix\/one" \(.*\); give/));
  });
});

Deno.test("a session whose folder no longer exists moves with its next record, and lists follow it", async () => {
  await withSessions(async (folder) => {
    const before = `${folder.workspace}/before`, after = `${folder.workspace}/after`;
    await Deno.mkdir(before);
    const session = createSession(folder.in(before));
    await session.append(user("x"));
    session.close();
    await Deno.rename(before, after);
    const looked = await openSession(session.id, folder.in(after));
    assert.match(
      looked.history.notices[0]!,
      /^session \S+ was in .*\/before, which no longer exists; from here on it is in .*\/after, and /,
    );
    looked.session.close();
    assert.equal(latestSession(folder.dir, after), undefined, "nothing was recorded");

    const moved = await openSession(session.id, folder.in(after));
    await moved.session.append(user("y"));
    const copy = await forkSession(session.id, folder.in(after));
    copy.session.close();
    assert.equal(copy.history.header?.workspace, after);
    await moved.session.settle();
    moved.session.close();
    for (let turn = 0; turn < 3; turn++) {
      const again = await openSession(session.id, folder.in(after));
      assert.deepEqual(again.history.notices, []);
      await again.session.append(says("long ".repeat(5000)));
      await again.session.settle();
      again.session.close();
      assert.equal(latestSession(folder.dir, after)?.id, session.id);
    }
    assert.deepEqual(listSessions(folder.dir, { workspace: before }), []);
  });
});

Deno.test("a file without a readable first line is refused, as is one of another version", async () => {
  await withSessions(async (folder) => {
    await Deno.mkdir(folder.dir);
    await Deno.writeTextFile(`${folder.dir}/a1.jsonl`, `{"kind":"user","content":[]}\n`);
    await assert.rejects(openSession("a1", folder), refused(/does not say which folder/));
    for (
      const [version, sentence] of [
        [
          1,
          /^session \S+a2\.jsonl has version 1 of the format, and .* version 2 alone; begin a new session$/,
        ],
        [3, /a2\.jsonl has version 3 of the format, and .* version 2 alone; use a newer nimlet$/],
        ["x", /a2\.jsonl has version "x" of the format/],
      ] as const
    ) {
      const first = JSON.stringify({ ...header(folder.workspace), version });
      await Deno.writeTextFile(`${folder.dir}/a2.jsonl`, `${first}\n`);
      await assert.rejects(openSession("a2", folder), refused(sentence));
      await assert.rejects(forkSession("a2", folder), refused(sentence));
      await assert.rejects(readSession("a2", folder), refused(sentence));
    }
  });
});

Deno.test("a session in use is refused, and free again once it is closed", async () => {
  await withSessions(async (folder) => {
    const first = createSession(folder);
    await first.append(user("x"));
    await assert.rejects(openSession(first.id, folder), refused(/in use by another process/));
    first.close();
    const { session } = await openSession(first.id, folder);
    session.close();
  });
});

Deno.test("half a last line is left out, and removed by the next record with a copy kept", async () => {
  await withSessions(async (folder) => {
    const first = createSession(folder);
    await first.append(user("one"));
    first.close();
    await Deno.writeTextFile(first.path!, '{"kind":"assistant","content":[{"ty', { append: true });
    const torn = await Deno.readFile(first.path!);

    const { session, history } = await openSession(first.id, folder);
    assert.deepEqual(history.messages.map(brief), ["user: one"]);
    assert.match(history.notices.join("\n"), /last line was skipped: its 35 bytes/);
    assert.deepEqual(await Deno.readFile(first.path!), torn, "reading changes nothing");
    await session.append(user("two"));
    await session.append(user("three"));
    session.close();

    assert.deepEqual(linesOf(first.path!).map((line) => line.kind), [
      "session",
      "user",
      "user",
      "user",
    ]);
    const beside = [...Deno.readDirSync(folder.dir)].map((entry) => entry.name)
      .filter((name) => name.startsWith(`${first.id}.jsonl.recovery-`));
    assert.equal(beside.length, 1);
    assert.deepEqual(await Deno.readFile(`${folder.dir}/${beside[0]}`), torn);
  });
});

Deno.test("a whole last record that only lacks its LF is kept", async () => {
  await withSessions(async (folder) => {
    const first = createSession(folder);
    await first.append(user("one"));
    first.close();
    await Deno.truncate(first.path!, Deno.statSync(first.path!).size - 1);
    const { session, history } = await openSession(first.id, folder);
    assert.deepEqual(history.messages.map(brief), ["user: one"]);
    await session.append(user("two"));
    session.close();
    assert.deepEqual(linesOf(first.path!).length, 3);
  });
});

Deno.test("a file that another program changed is not appended to", async () => {
  await withSessions(async (folder) => {
    const changes: ((path: string) => void)[] = [
      (path) => Deno.writeTextFileSync(path, "\n", { append: true }),
      (path) => Deno.removeSync(path),
      (path) => {
        Deno.copyFileSync(path, `${path}.new`);
        Deno.renameSync(`${path}.new`, path);
      },
      (path) => {
        const text = Deno.readTextFileSync(path);
        Deno.writeTextFileSync(path, text.replace("one", "ONE"));
        Deno.utimeSync(path, new Date(), new Date(Date.now() + 5000));
      },
    ];
    for (const change of changes) {
      const session = createSession(folder);
      await session.append(user("one"));
      change(session.path!);
      const before = content(session.path!);
      folder.told.length = 0;
      await session.append(user("two"));
      await session.append(user("three"));
      await session.settle();
      session.close();
      assert.equal(content(session.path!), before);
      assert.equal(folder.told.length, 1);
      assert.match(folder.told[0]!, /^warning: .* changed by another program/);
    }
  });
});

function content(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("records that are appended at once land whole and in order", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    await Promise.all(Array.from({ length: 50 }, (_, i) => session.append(user(`${i}`))));
    session.close();
    const { history, session: again } = await openSession(session.id, folder);
    again.close();
    assert.deepEqual(
      history.messages.map(brief),
      Array.from({ length: 50 }, (_, i) => `user: ${i}`),
    );
  });
});

Deno.test("a record that cannot be JSON fails alone", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    const wrong = { kind: "extension", name: "x", data: { n: 1n } } as unknown as SessionRecord;
    await assert.rejects(session.append(wrong), TypeError);
    await session.append(user("fine"));
    session.close();
    assert.deepEqual(linesOf(session.path!).map((line) => line.kind), ["session", "user"]);
  });
});

Deno.test("text that cannot be sent as UTF-8 is saved in a line that can be read", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    await session.append(user("a\ud83db\u2028c\nd"));
    session.close();
    const { history, session: again } = await openSession(session.id, folder);
    again.close();
    assert.deepEqual(history.messages.map(brief), ["user: a\ufffdb\u2028c\nd"]);
  });
});

Deno.test("an unsaved session has an id and writes nothing", async () => {
  await withSessions(async (folder) => {
    const session = unsavedSession(folder);
    await session.append(user("x"));
    await session.settle();
    session.close();
    assert.equal(session.path, undefined);
    assert.throws(() => Deno.statSync(folder.dir), Deno.errors.NotFound);
  });
});
