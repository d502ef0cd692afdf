import assert from "node:assert/strict";
import { historySearch } from "../../../src/front/console/history_search.ts";
import type { Edited } from "../../../src/front/console/recall.ts";

/** What the line shows after each key; a key that the search does not take is marked. */
function searched(keys: readonly string[], line = "draft") {
  let edited: Edited = { line, cursor: line.length }, prompt = "> ";
  const search = historySearch({
    entries: () => ["npm test all", "git status", "npm run Build"],
    edited: () => edited,
    show(next, shown = "> ") {
      edited = next;
      prompt = shown;
    },
  });
  return keys.map((key) => {
    const taken = search.press(key);
    return `${prompt}${edited.line}${taken ? "" : " (passed on)"}`;
  });
}

Deno.test("a part of an earlier line finds it, again an older one", () => {
  assert.deepEqual(searched(["\x12", "np", "m", "\x12", "\x12", "\x7f", "\r"]), [
    "(search: ) draft",
    "(search: np) npm test all",
    "(search: npm) npm test all",
    "(search: npm) npm run Build",
    "(search: npm) npm run Build",
    "(search: np) npm test all",
    "> npm test all (passed on)",
  ]);
  assert.deepEqual(searched(["\x12", "build", "\x1b[D"]).slice(1), [
    "(search: build) npm run Build",
    "> npm run Build (passed on)",
  ]);
});

Deno.test("what is not there says so, and giving up brings the line back", () => {
  for (const key of ["\x1b", "\x07", "\x03"]) {
    assert.deepEqual(searched(["\x12", "git", "x", key, "a"]).slice(1), [
      "(search: git) git status",
      "(not found: gitx) git status",
      "> draft",
      "> draft (passed on)",
    ]);
  }
});
