import assert from "node:assert/strict";
import { createChangeLog } from "../../src/changes/change_log.ts";
import { changeDiff } from "../../src/changes/change_diff.ts";
import type { FileChange } from "../../src/core/file_change.ts";

function change(path: string, before: string | undefined, after: string): FileChange {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const old = before === undefined ? "none" : bytes(before);
  return { path, realPath: path, before: old, after: bytes(after), foldersMade: [] };
}

Deno.test("changes of a file that follow one another within a turn are one", () => {
  const log = createChangeLog();
  log.begin("p");
  log.add(change("a", "1", "2"));
  log.add(change("b", undefined, "x"));
  log.add(change("a", "2", "3"));
  log.add(change("a", "other", "4"));
  assert.deepEqual(
    log.turns[0]!.changes.map(({ path, after }) => path + new TextDecoder().decode(after)),
    ["a3", "bx", "a4"],
  );
});

Deno.test("a turn without changes is none", () => {
  const log = createChangeLog();
  log.begin("one");
  log.add(change("a", "1", "2"));
  log.begin("two");
  log.begin("three");
  log.add(change("a", "2", "3"));
  assert.deepEqual(log.turns.map(({ prompt }) => prompt), ["one", "three"]);
});

Deno.test("beyond the bound the oldest changes are forgotten, and named", async () => {
  const log = createChangeLog(3000);
  log.begin("p");
  log.add(change("old", "1", "x".repeat(1000)));
  log.add(change("new", "1", "y".repeat(2000)));
  assert.deepEqual([...log.turns[0]!.forgotten], ["old"]);
  assert.deepEqual(log.turns[0]!.changes.map(({ path }) => path), ["new"]);
  log.add(change("huge", undefined, "z".repeat(9000)));
  assert.deepEqual(log.turns[0]!.changes, []);
  assert.match(await changeDiff(log), /^\[older changes are not shown.*: old, new, huge\]$/);
});
