import assert from "node:assert/strict";
import { recentReads } from "../../src/host/recent_reads.ts";

async function withFile(use: (path: string, read: () => string, calls: () => number) => unknown) {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/file`;
    const reads = recentReads<string>();
    let calls = 0;
    await use(
      path,
      () => reads(path, "key", () => (calls++, Deno.readTextFileSync(path))),
      () => calls,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The time of the last change is set back, but for that of the inode, which nobody can set. */
function write(path: string, text: string): void {
  Deno.writeTextFileSync(path, text);
  Deno.utimeSync(path, new Date(1234), new Date(1234));
}
const rest = () => new Promise((resolve) => setTimeout(resolve, 1200));

Deno.test("a file at rest is read once for two, and again for the next", () =>
  withFile(async (path, read, calls) => {
    write(path, "one");
    await rest();
    assert.deepEqual([read(), read(), calls()], ["one", "one", 1]);
    assert.deepEqual([read(), read(), calls()], ["one", "one", 2]);
  }));

Deno.test("a change is seen at once, also one that keeps size and time", () =>
  withFile(async (path, read) => {
    write(path, "one");
    await rest();
    assert.equal(read(), "one");
    write(path, "two");
    assert.equal(read(), "two");
    write(path, "six");
    assert.equal(read(), "six");
  }));

Deno.test("a file that was just changed is read each time", () =>
  withFile((path, read, calls) => {
    write(path, "one");
    assert.deepEqual([read(), read(), calls()], ["one", "one", 2]);
  }));
