/** The tests of exported sessions and of copies under a new id. */
import assert from "node:assert/strict";
import type { SessionRecord } from "../../src/core/record.ts";
import { exportHtml } from "../../src/session/export_html.ts";
import { forkSession } from "../../src/session/fork_session.ts";
import { diffHtml, escapeHtml, proseHtml } from "../../src/session/html_text.ts";
import { listSessions } from "../../src/session/list_sessions.ts";
import { readSession } from "../../src/session/read_session.ts";
import { createSession, openSession } from "../../src/session/session.ts";
import {
  brief,
  calls,
  folderIn,
  header,
  linesOf,
  result,
  says,
  user,
  withSessions,
} from "./session_folder.ts";

/** The tags of a page in order, without attributes; every other `<` would be a mistake. */
function tagsOf(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z0-9]+)/gi)].map((match) => match[1]!);
}

function assertBalanced(html: string) {
  const open: string[] = [];
  for (const tag of tagsOf(html)) {
    if (["meta", "img"].includes(tag)) continue;
    if (tag.startsWith("/")) assert.equal(open.pop(), tag.slice(1));
    else open.push(tag);
  }
  assert.deepEqual(open, []);
}

Deno.test("an export is one page that holds the conversation and needs nothing else", () => {
  const page = exportHtml([
    header("/w/project"),
    { kind: "name", name: "Mend the parser" },
    user("Please mend **it**:\n```ts\nlet a = 1;\n```\nthanks"),
    calls("one", "two"),
    result("one", "fine output"),
    { kind: "compaction", summary: "we mended", kept: 1, tokens_before: 5 },
    says("It is `done`."),
  ]);
  assert.match(page, /<title>Mend the parser<\/title>/);
  assert.match(page, /<dd>\/w\/project<\/dd>/);
  assert.match(page, /<pre>let a = 1;<\/pre>/);
  assert.match(page, /<b>it<\/b>/);
  assert.match(page, /It is <code>done<\/code>\./);
  assert.match(page, /<summary><b>bash<\/b> <span dir="auto">one<\/span><\/summary>/);
  assert.match(page, /fine output/);
  assert.match(page, /<em>no result<\/em> <span dir="auto">two/);
  assert.match(page, /we mended/);
  assert.doesNotMatch(page, /<script|https?:\/\/|<link|url\(/);
  assertBalanced(page);
});

Deno.test("no content of a session can break out of its element", () => {
  const evil =
    `</pre></details></title></style><script>alert(1)</script>"'><img src=x onerror=alert(1)>` +
    "<!-- ]]> &lt; `</code>` **</b>** `**` x ** ``` \n```\n</pre><b>\n@@ -1 +1 @@\n-</del>\n+</ins>\x1b[31mred\x00";
  const records: SessionRecord[] = [
    header(evil, evil),
    { kind: "name", name: evil },
    user(evil),
    {
      kind: "assistant",
      content: [
        { type: "thinking", text: evil },
        { type: "text", text: evil },
        { type: "tool_use", id: evil, name: evil, input: { command: evil, [evil]: evil } },
        { type: "tool_use", id: "b", name: "x", input: {}, invalid_text: evil },
      ],
      provider: evil,
      model: evil,
      finish: "stop",
      usage: {},
    },
    { ...result(evil, evil), tool_name: evil } as SessionRecord,
    { kind: "compaction", summary: evil, kept: 0, tokens_before: 0 },
    { kind: "user", content: [{ type: "image", media_type: `image/png"${evil}`, data: "AA==" }] },
    { kind: "user", content: [{ type: "image", media_type: "image/png", data: `"${evil}` }] },
    ...Array.from({ length: 4 }, () => user(evil)),
  ];
  const page = exportHtml(records);
  assertBalanced(page);
  const allowed = new Set(
    ("html head meta title style body header h1 h2 dl dt dd nav details summary ol li a main " +
      "section div pre code b em span ins del p img").split(" "),
  );
  for (const tag of tagsOf(page)) assert.ok(allowed.has(tag.replace("/", "")), tag);
  assert.equal(tagsOf(page).filter((tag) => tag === "img").length, 0);
  assert.doesNotMatch(page, /<[^>]*\son\w+=/);
  for (const mark of ["<!--", "\x1b", "\x00"]) assert.ok(!page.includes(mark), mark);
});

Deno.test("images are shown where they are images", () => {
  const image = (mediaType: string, data: string): SessionRecord => ({
    kind: "user",
    content: [{ type: "image", media_type: mediaType, data }],
  });
  assert.match(
    exportHtml([image("image/png", "AAAA")]),
    /<img alt="image" src="data:image\/png;base64,AAAA">/,
  );
  assert.doesNotMatch(exportHtml([image("image/svg+xml", "AAAA")]), /<img/);
});

Deno.test("text becomes HTML that shows it as it was typed", () => {
  assert.equal(escapeHtml(`<a href='x'>&"`), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
  assert.equal(
    escapeHtml("\x1b[1mbold\x1b[0m \x1b]0;title\x07a\u202eb\ud800"),
    "bold a\ufffdb\ufffd",
  );
  assert.equal(proseHtml("  \n"), "");
  assert.equal(proseHtml("```\nno end"), "<pre>no end</pre>");
  assert.equal(
    diffHtml("path: a\n\n@@ -1 +1 @@\n-x\n+y\n z"),
    "path: a\n\n@@ -1 +1 @@\n<del>-x</del>\n<ins>+y</ins>\n z",
  );
});

Deno.test("a copy has a new id and the whole history, the first session stays as it is", async () => {
  await withSessions(async (folder) => {
    const first = createSession(folder);
    for (const record of [user("one"), calls("a"), result("a"), says("two")]) {
      await first.append(record);
    }
    const before = Deno.readTextFileSync(first.path!);
    // while it is in use
    const { session, history } = await forkSession(first.id, folder);
    await session.append(user("three"));
    session.close();
    assert.notEqual(session.id, first.id);
    assert.deepEqual(history.messages.map(brief), [
      "user: one",
      "assistant: [a]",
      "result a: did a",
      "assistant: two",
    ]);
    assert.equal(Deno.readTextFileSync(first.path!), before);
    const [head, ...rest] = linesOf(session.path!);
    assert.equal(head!.id, session.id);
    assert.equal(head!.forked_from, first.id);
    assert.deepEqual(rest.slice(0, -1), linesOf(first.path!).slice(1));
    assert.equal(Deno.statSync(session.path!).mode! & 0o777, 0o600);
    assert.equal(listSessions(folder.dir).length, 2);
    await first.append(user("on with it"));
    first.close();
  });
});

Deno.test("a copy leaves out what cannot be read, and keeps what is unknown", async () => {
  await withSessions(async (folder) => {
    const first = createSession(folder);
    await first.append(user("one"));
    first.close();
    const more = '{"kind":"later","x":[1]}\nrubbish\n{"kind":"us';
    await Deno.writeTextFile(first.path!, more, { append: true });
    const { session } = await forkSession(first.id, folder);
    session.close();
    assert.deepEqual(linesOf(session.path!).map((line) => line.kind), ["session", "user", "later"]);
    await assert.rejects(forkSession("nothing", folder), /there is no session/);
    const names = [...Deno.readDirSync(folder.dir)].map((entry) => entry.name);
    assert.equal(names.length, 2, names.join());
  });
});

Deno.test("a session is read for export from any folder, also while it is in use", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folderIn(folder.dir, "/elsewhere"));
    await session.append(user("one"));
    const { records, notices } = await readSession(session.id, folder);
    assert.deepEqual(records.map((record) => record.kind), ["session", "user"]);
    assert.deepEqual(notices, []);
    await session.append(user("two"));
    session.close();
    const opened = await openSession(session.id, folderIn(folder.dir, "/elsewhere"));
    opened.session.close();
    assert.equal(opened.history.messages.length, 2);
  });
});
