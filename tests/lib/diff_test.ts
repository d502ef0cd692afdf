/** The tests of unified diffs. */
import assert from "node:assert/strict";
import { unifiedDiff } from "../../src/lib/diff.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

async function hunks(before: string, after: string): Promise<string> {
  return (await unifiedDiff(before, after))!.hunks;
}

Deno.test("a changed line is shown with three lines around it", async () => {
  const old = numbered(20), now = numbered(20);
  now[9] = "other";
  assert.deepEqual(await unifiedDiff(text(old), text(now)), {
    hunks:
      "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+other\n line 11\n line 12\n line 13",
    added: 1,
    removed: 1,
  });
});

Deno.test("changes far apart are hunks of their own, with their line numbers", async () => {
  const old = numbered(100), now = numbered(100);
  now[49] = "x";
  now.splice(89, 1);
  now.splice(9, 0, "new");
  const shown = await hunks(text(old), text(now));
  assert.deepEqual(shown.match(/@@.*@@/g), [
    "@@ -7,6 +7,7 @@",
    "@@ -47,7 +48,7 @@",
    "@@ -87,7 +88,6 @@",
  ]);
});

Deno.test("insertions, removals and empty texts are named as everywhere", async () => {
  assert.equal(await hunks("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b");
  assert.equal(await hunks("a\n", ""), "@@ -1 +0,0 @@\n-a");
  assert.equal(await hunks("a\na\n", "a\na\na\n"), "@@ -1,2 +1,3 @@\n a\n a\n+a");
  assert.equal(
    await hunks("a\nb", "a\nb\n"),
    "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b",
  );
  assert.equal(await hunks("same", "same"), "");
});

Deno.test("patch agrees: each diff turns the old text into the new", async () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48271) % (2 ** 31 - 1);
    return seed % below;
  };
  const words = ["a", "b", "c", "", "long line"];
  const folder = await Deno.makeTempDir();
  try {
    for (let round = 0; round < 40; round++) {
      const lines = Array.from({ length: next(30) }, () => words[next(words.length)]!);
      const changed = lines.flatMap((line) => {
        const turn = next(8);
        return turn === 0 ? [] : turn === 1 ? [line, "new"] : turn === 2 ? ["x"] : [line];
      });
      const before = lines.join("\n") + (next(2) ? "\n" : "");
      const after = changed.join("\n") + (next(2) ? "\n" : "");
      const diff = await hunks(before, after);
      if (diff === "") continue;
      Deno.writeTextFileSync(`${folder}/f`, before);
      Deno.writeTextFileSync(`${folder}/p`, `--- a/f\n+++ b/f\n${diff}\n`);
      const { success, stderr } = await new Deno.Command("git", {
        args: ["apply", "--unidiff-zero", "p"],
        cwd: folder,
        env: { GIT_CEILING_DIRECTORIES: folder },
      }).output();
      assert.ok(success, `${new TextDecoder().decode(stderr)}\n${diff}`);
      const exists = await Deno.readTextFile(`${folder}/f`);
      assert.equal(exists, after);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("texts that differ throughout are still answered in bounded time", async () => {
  const old = text(numbered(20_000)), now = text(numbered(20_000).map((line) => `${line}!`));
  const diff = await unifiedDiff(old, now);
  assert.equal(diff?.added, 20_000);
  assert.equal(diff.removed, 20_000);
  assert.equal(await unifiedDiff("a\n".repeat(400_000), "b\n".repeat(400_000)), undefined);
  const small = await unifiedDiff(`${old.repeat(50)}x\n${old}`, `${old.repeat(50)}y\n${old}`);
  assert.equal(small?.added, 1);
});
