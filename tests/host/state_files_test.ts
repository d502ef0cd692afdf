import assert from "node:assert/strict";
import { join } from "node:path";
import { readStateFile, writeStateFile } from "../../src/host/state_files.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-test-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a state file is written whole and private, and replaces what was there", () =>
  withFolder(async (folder) => {
    const path = join(folder, "deep", "state.json");
    await writeStateFile(path, "one");
    await writeStateFile(path, "two");
    assert.deepEqual(readStateFile(path, 100), { kind: "text", text: "two", mode: 0o600 });
    assert.deepEqual([...Deno.readDirSync(join(folder, "deep"))].map((entry) => entry.name), [
      "state.json",
    ]);
  }));

Deno.test("a failed write leaves nothing behind", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "taken"));
    await assert.rejects(writeStateFile(join(folder, "taken"), "text"));
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["taken"]);
  }));

Deno.test("a byte order mark is handed over, and text that is not UTF-8 is refused", () =>
  withFolder(async (folder) => {
    const path = join(folder, "file");
    await Deno.writeTextFile(path, "\ufeff{}");
    const read = readStateFile(path, 100);
    assert(read.kind === "text" && read.text === "\ufeff{}");
    await Deno.writeFile(path, new Uint8Array([0x22, 0xe9, 0x22]));
    assert.deepEqual(readStateFile(path, 100), {
      kind: "unreadable",
      reason: "is not UTF-8 text",
    });
  }));

Deno.test("what is missing, too large, or no file is told apart and never opened", () =>
  withFolder(async (folder) => {
    assert.deepEqual(readStateFile(join(folder, "none"), 10), { kind: "missing" });
    await Deno.writeTextFile(join(folder, "file"), "x".repeat(11));
    assert.deepEqual(readStateFile(join(folder, "file", "below"), 10), { kind: "missing" });
    const large = readStateFile(join(folder, "file"), 10);
    assert(large.kind === "unreadable" && large.reason === "is larger than 10 bytes");
    const made = await new Deno.Command("mkfifo", { args: [join(folder, "pipe")] }).output();
    assert(made.success);
    const pipe = readStateFile(join(folder, "pipe"), 10);
    assert(pipe.kind === "unreadable" && pipe.reason === "is a pipe, not a file");
    const device = readStateFile("/dev/zero", 10);
    assert(device.kind === "unreadable" && device.reason === "is a device, not a file");
    const directory = readStateFile(folder, 10);
    assert(directory.kind === "unreadable" && directory.reason === "is a folder, not a file");
    await Deno.symlink("loop", join(folder, "loop"));
    assert.equal(readStateFile(join(folder, "loop"), 10).kind, "unreadable");
  }));
