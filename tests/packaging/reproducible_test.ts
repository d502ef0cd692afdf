/** The tests that two builds of one commit have the same bytes, as far as what they are made of goes. */
import assert from "node:assert/strict";
import { bundle } from "../../scripts/bundle.ts";
import { withFolder } from "../../scripts/compile_folder.ts";
import { RehearsedCodes } from "../../scripts/rehearsed_codes.ts";
import { fixTimes, withBuildFolder } from "../../scripts/packaging/build_folder.ts";
import { fromFileUrl } from "../support/streams.ts";

const root = `${fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "")}/`;

async function contents(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) continue;
    const bytes = await Deno.readFile(`${folder}/${name}`);
    files[name] = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join();
  }
  return files;
}

Deno.test("builds: two bundles, made wherever it is, are the same", async () => {
  const made = () =>
    withFolder(async (folder) => {
      await bundle(root, folder);
      return { ...await contents(folder), ...await contents(`${folder}/program`) };
    });
  const first = await made();
  assert.ok(Object.keys(first).includes("script.js"));
  assert.deepEqual(await made(), first);
});

Deno.test("builds: those of one clone wait for each other, and find the folder empty", async () => {
  const clone = `${await Deno.makeTempDir()}/`;
  try {
    await Deno.mkdir(`${clone}dist/build/left`, { recursive: true });
    let inside = 0;
    const build = () =>
      withBuildFolder(clone, async (folder) => {
        assert.equal(++inside, 1);
        assert.deepEqual([...Deno.readDirSync(folder)], []);
        await Deno.writeTextFile(`${folder}/file`, "");
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
        return folder;
      });
    const folders = await Promise.all([build(), build(), build()]);
    assert.equal(new Set(folders).size, 1);
    assert.deepEqual([...Deno.readDirSync(`${clone}dist`)].map(({ name }) => name), ["build.lock"]);
    await assert.rejects(
      withBuildFolder(clone, () => Promise.reject(new Error("broken"))),
      /broken/,
    );
    await build();
  } finally {
    await Deno.remove(clone, { recursive: true });
  }
});

Deno.test("builds: embedded files have one time", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    await Deno.writeTextFile(`${folder}/a/b/file`, "");
    await fixTimes(folder);
    const times = ["a", "a/b", "a/b/file"].map((path) =>
      Deno.statSync(`${folder}/${path}`).mtime!.toISOString()
    );
    assert.deepEqual(new Set(times), new Set(["2000-01-01T00:00:00.000Z"]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Adds a code for each word, and gives the chosen one, after how many, and whether that was enough. */
async function chosen(words: string): Promise<[string, number, boolean]> {
  const codes = new RehearsedCodes();
  let count = 0;
  for (const word of words.split(" ")) {
    if (codes.isSettled) break;
    await codes.add(new TextEncoder().encode(word));
    count++;
  }
  return [new TextDecoder().decode(codes.best), count, codes.isSettled];
}

Deno.test("builds: of several codes the smallest that came twice is taken", async () => {
  assert.deepEqual(await chosen("aa aa aa aa aa"), ["aa", 4, true]);
  assert.deepEqual(await chosen("aaa aa aaa aaa aa aaa aaa aa aaa aa aaa"), ["aa", 10, true]);
  assert.deepEqual(await chosen("aa a aa aa aaa aaa aa"), ["aa", 7, false]);
  assert.deepEqual(await chosen("aaa aa a"), ["a", 3, false]);
  assert.deepEqual(await chosen("ab ba ab ab ba ab ab ab"), ["ab", 8, true], "the most frequent");
  const first = await chosen("ab ba ab ba");
  assert.deepEqual(await chosen("ba ba ab ab"), first, "the order does not matter");
  assert.equal(new RehearsedCodes().best, undefined);
});
