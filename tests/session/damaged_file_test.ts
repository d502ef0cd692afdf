/** The tests of session files that are not as they were written. */
import assert from "node:assert/strict";
import type { SessionRecord } from "../../src/core/record.ts";
import { joinBytes } from "../../src/lib/join_bytes.ts";
import { toLine } from "../../src/lib/jsonl.ts";
import { readRecords } from "../../src/session/read_records.ts";
import { openSession } from "../../src/session/session.ts";
import { brief, calls, header, result, says, user, withSessions } from "./session_folder.ts";

const encoder = new TextEncoder();

/** Kinds read from a file of these bytes, and what is told about it, the same in pieces of any size. */
async function read(...parts: (string | Uint8Array)[]) {
  const whole = joinBytes(
    parts.map((part) => typeof part === "string" ? encoder.encode(part) : part),
  );
  const inPieces = async (size: number) => {
    const pieces = [];
    for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
    const records: SessionRecord[] = [];
    const report = await readRecords(pieces, { record: (record) => records.push(record) });
    return { ...report, records, kinds: records.map((record) => record.kind) };
  };
  const found = await inPieces(97);
  for (const size of [1, 1000, whole.length]) assert.deepEqual(await inPieces(size), found);
  return found;
}

const first = toLine(header("/w"));
const one = toLine(user("one"));
const two = toLine(says("two"));

Deno.test("a blank line is passed over in silence", async () => {
  const { kinds, notices } = await read(first, "\n", one, "   \r\n", two);
  assert.deepEqual(kinds, ["session", "user", "assistant"]);
  assert.deepEqual(notices, []);
});

Deno.test("a run of NUL bytes costs nothing but itself", async () => {
  const nuls = "\0".repeat(400);
  const alone = await read(first, nuls, "\n", one);
  assert.deepEqual(alone.kinds, ["session", "user"]);
  assert.deepEqual(alone.notices, ["line 2 was skipped: it holds 400 NUL bytes and no record"]);
  assert.deepEqual((await read(first, nuls, one, two)).kinds, ["session", "user", "assistant"]);
  assert.deepEqual((await read(first, one.trim(), nuls, "\n", two)).kinds, [
    "session",
    "user",
    "assistant",
  ]);
  const last = await read(first, one, nuls);
  assert.deepEqual(last.kinds, ["session", "user"]);
  assert.equal(last.tail, "torn");
  assert.equal(last.endedBytes, first.length + one.length);
});

Deno.test("a whole record is found behind the half one that it is glued to", async () => {
  const { kinds, notices } = await read(first, two.slice(0, 30), one, two);
  assert.deepEqual(kinds, ["session", "user", "assistant"]);
  assert.match(notices.join(), /^line 2 lost 30 characters of an unfinished record/);
});

Deno.test("several records on one line are all found", async () => {
  const { kinds, notices } = await read(first, one.trim(), two.trim(), two.slice(0, 9), one);
  assert.deepEqual(kinds, ["session", "user", "assistant", "user"]);
  assert.match(notices.join(), /line 2 lost 9 characters/);
});

Deno.test("what looks like a record inside of another is not taken for one", async () => {
  const nested: SessionRecord = {
    kind: "assistant",
    content: [
      { type: "tool_use", id: "a", name: "write", input: { kind: "user", content: [] } },
      { type: "text", text: one },
    ],
    provider: "p",
    model: "m",
    finish: "stop",
    usage: {},
  };
  const line = toLine(nested);
  assert.deepEqual((await read(first, line)).records[1], nested);
  for (let cut = 1; cut < line.length - 1; cut++) {
    const { records, kinds } = await read(first, line.slice(0, cut), two);
    assert.deepEqual(kinds, ["session", "assistant"], `cut at ${cut}`);
    assert.deepEqual(records[1], says("two"));
  }
});

Deno.test("a whole record is found behind half a record with many objects like it", async () => {
  const data = { items: Array.from({ length: 500 }, () => ({ kind: "user" })) };
  const half = toLine({ kind: "extension", name: "x", data }).slice(0, -4);
  const { records, notices } = await read(first, half, two);
  assert.deepEqual(records.slice(1), [says("two")]);
  assert.equal(notices.length, 1);
});

Deno.test("a file cut at any byte loses at most its last record", async () => {
  const text = first + one + toLine(calls("é😀")) + toLine(result("é😀"));
  const bytes = encoder.encode(text);
  for (let cut = first.length; cut <= bytes.length; cut++) {
    const { kinds, tail } = await read(bytes.slice(0, cut));
    const whole = new TextDecoder().decode(bytes.slice(0, cut)).split("\n").length - 1;
    assert.ok(kinds.length === whole || (kinds.length === whole + 1 && tail === "unended"));
  }
});

Deno.test("unknown kinds are told once and handed on", async () => {
  const unknown: unknown[] = [];
  const records: string[] = [];
  const text = first + `{"kind":"plan","x":1}\n{"kind":"plan","x":2}\n` + one;
  const report = await readRecords([encoder.encode(text)], {
    record: (record) => records.push(record.kind),
    unknown: (value) => unknown.push(value),
  });
  assert.deepEqual(records, ["session", "user"]);
  assert.deepEqual(unknown, [{ kind: "plan", x: 1 }, { kind: "plan", x: 2 }]);
  assert.deepEqual(report.notices, ['2 records of the unknown kind "plan" were ignored']);
});

Deno.test("a record of the wrong form is named with what is wrong", async () => {
  const { kinds, notices } = await read(
    first,
    `{"kind":"user","content":7}\n[1]\n{"kind":7}\n{"kind":"compaction","summary":"x"}\n`,
    `{"kind":"tool_result","content":[]}\n{"kind":"extension","name":"x"}\n`,
    one,
  );
  assert.deepEqual(kinds, ["session", "user"]);
  assert.deepEqual(notices, [
    "line 2 was skipped: content: expected an array of parts",
    "line 3 was skipped: expected an object",
    "line 4 was skipped: kind: expected text",
    "line 5 was skipped: kept: expected a number",
    "line 6 was skipped: tool_id: expected text",
    "line 7 was skipped: data: expected an object",
  ]);
});

Deno.test("plain text for content is taken, parts of unknown types are left out", async () => {
  const { records } = await read(
    `{"kind":"user","content":"hi"}\n{"kind":"assistant","content":[{"type":"video"},7,{"type":"text","text":"x"}]}\n`,
  );
  assert.deepEqual(records, [
    { kind: "user", content: [{ type: "text", text: "hi" }] },
    {
      kind: "assistant",
      content: [{ type: "text", text: "x" }],
      provider: "unknown",
      model: "unknown",
      finish: "other",
      usage: {},
    },
  ]);
});

Deno.test("bytes that are not UTF-8 are replaced and told", async () => {
  const bytes = encoder.encode(one);
  bytes[one.indexOf("one")] = 0xff;
  const { records, notices } = await read(first, bytes, two);
  assert.deepEqual(records[1], user("\ufffdne"));
  assert.deepEqual(notices, ["line 2 held bytes that are not UTF-8; they were replaced"]);
});

Deno.test("a byte order mark before a record is dropped", async () => {
  const { records, notices } = await read("\ufeff", first, "\ufeff", one, "\ufeff", two);
  assert.deepEqual(records.slice(1), [user("one"), says("two")]);
  assert.deepEqual(notices, []);
});

Deno.test("a file full of rubbish is told in a bounded number of words", async () => {
  const { kinds, notices } = await read(first, "rubbish\n".repeat(1000), one);
  assert.deepEqual(kinds, ["session", "user"]);
  assert.equal(notices.length, 21);
  assert.equal(notices.at(-1), "980 more lines could not be read");
  assert.ok(notices.join("").length < 5000);
});

Deno.test("a record of 9 MB is read, a longer one than allowed is left out and told", async () => {
  await withSessions(async (folder) => {
    await Deno.mkdir(folder.dir);
    const path = `${folder.dir}/a1.jsonl`;
    await Deno.writeTextFile(path, toLine(header(folder.workspace, "a1")));
    await Deno.writeTextFile(path, toLine(user("x".repeat(9_000_000))), { append: true });
    const filler = new Uint8Array(10 * 1024 * 1024).fill(120);
    for (let i = 0; i < 7; i++) await Deno.writeFile(path, filler, { append: true });
    await Deno.writeTextFile(path, "\n" + two, { append: true });
    const { session, history } = await openSession("a1", folder);
    session.close();
    assert.equal(history.messages[0]!.content.length, 1);
    assert.equal(brief(history.messages[0]!).length, 9_000_006);
    assert.equal(brief(history.messages[1]!), "assistant: two");
    assert.match(history.notices.join(), /^line 3 was skipped: its 70 MiB are more/);
  });
});
