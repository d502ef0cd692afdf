/** The tests of whole-file writes: races, kills, full disks, temporary files. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isTempName, tempPrefix } from "../../../src/core/temp_name.ts";
import { nodeFiles } from "../../../src/host/files/node_files.ts";
import { newTempName } from "../../../src/host/files/temp_files.ts";
import { writeInside } from "../../../src/host/files/replace_file.ts";
import { linux, posix, testWhere } from "../../support/test_where.ts";
import { withWorkspace } from "../../support/tool_context.ts";
import { pathsBelow } from "../../tools/file_fixture.ts";

const node = await nodeFiles();
const writer = fileURLToPath(new URL("./writer.ts", import.meta.url));
const bytesOf = (text: string) => new TextEncoder().encode(text);

function write(workspace: string, path: string, text: string, existing: "create" | "replace") {
  return writeInside(node, { bounds: { workspace }, path, existing, content: () => bytesOf(text) });
}

function runWriter(...args: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", writer, ...args],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function firstLine(child: Deno.ChildProcess): Promise<void> {
  const reader = child.stdout.getReader();
  await reader.read();
  reader.releaseLock();
}

Deno.test("a folder that turns into a link to outside, and back, never lets a file out", () =>
  withWorkspace(async (root) => {
    const workspace = `${root}/w`, outside = `${root}/o`;
    Deno.mkdirSync(`${workspace}/d`, { recursive: true });
    Deno.mkdirSync(outside);
    Deno.writeTextFileSync(`${workspace}/d/f.txt`, "start");
    const appeared: string[] = [];
    const watcher = Deno.watchFs(outside);
    const watching = (async () => {
      for await (const event of watcher) {
        if (event.kind !== "access") appeared.push(...event.paths);
      }
    })();
    const swapper = runWriter("swap", workspace, outside);
    await firstLine(swapper);
    let done = 0, refused = 0;
    const deadline = Date.now() + 30_000;
    for (let turn = 0; turn < 1000 || (done < 300 || refused < 300); turn++) {
      if (Date.now() > deadline) break;
      const path = turn % 4 === 3 ? `d/new${turn}/f.txt` : "d/f.txt";
      try {
        write(workspace, path, `turn ${turn}`, "replace");
        done++;
      } catch {
        refused++;
      }
      if (turn % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    swapper.kill("SIGKILL");
    await swapper.stdout.cancel();
    await swapper.status;
    await new Promise((resolve) => setTimeout(resolve, 0));
    watcher.close();
    await watching;
    assert.deepEqual(pathsBelow(outside), []);
    assert.deepEqual(appeared, []);
    assert.ok(done >= 300 && refused >= 300, `${done} writes done, ${refused} refused`);
  }));

Deno.test("of many creators of one file one succeeds, and its content stays", () =>
  withWorkspace(async (workspace) => {
    const creators = Array.from(
      { length: 4 },
      (_, index) => runWriter("create", workspace, "shared", String(index)),
    );
    const outputs = await Promise.all(creators.map((child) => child.output()));
    const winners = outputs.map(({ stdout }) => new TextDecoder().decode(stdout).trim());
    const rounds = winners.flatMap((text) => text === "" ? [] : text.split("\n"));
    assert.equal(new Set(rounds.map((line) => line.split(" ")[0])).size, rounds.length);
    assert.equal(rounds.length, 50);
    for (const line of rounds) {
      const [round, who] = line.split(" ");
      assert.equal(Deno.readTextFileSync(`${workspace}/shared${round}`), who);
    }
    assert.equal(pathsBelow(workspace).filter((path) => isTempName(path)).length, 0);
  }));

Deno.test("two runs that edit one file at once lose nothing", () =>
  withWorkspace(async (workspace) => {
    const rounds = 100;
    const marks = Array.from({ length: rounds }, (_, index) => `<0.${index}>\n<1.${index}>\n`);
    Deno.writeTextFileSync(`${workspace}/f`, marks.join(""));
    const editors = ["0", "1"].map((who) => runWriter("edit", workspace, "f", who));
    for (const { success } of await Promise.all(editors.map((child) => child.output()))) {
      assert.ok(success);
    }
    const text = Deno.readTextFileSync(`${workspace}/f`);
    assert.equal(text.match(/<done>/g)?.length, 2 * rounds);
    assert.deepEqual(pathsBelow(workspace), ["f"]);
  }));

// Elsewhere only a lock's age tells that its owner is gone.
testWhere(
  linux,
  "a lock that a killed run left does not stop the next one",
  () =>
    withWorkspace((workspace) => {
      write(workspace, "f", "first", "create");
      let lock = "";
      writeInside(node, {
        bounds: { workspace },
        path: "f",
        existing: "update",
        content: () => {
          lock = pathsBelow(workspace).find(isTempName)!;
          return bytesOf("second");
        },
      });
      assert.ok(isTempName(lock));
      // No process has this number, on any system.
      Deno.symlinkSync("999999999", `${workspace}/${lock}`);
      write(workspace, "f", "third", "replace");
      assert.equal(Deno.readTextFileSync(`${workspace}/f`), "third");
      assert.deepEqual(pathsBelow(workspace), ["f"]);
      return Promise.resolve();
    }),
);

Deno.test("after a kill the file is wholly old or wholly new, and the remains are cleaned later", () =>
  withWorkspace(async (workspace) => {
    const size = 8 * 1024 * 1024;
    for (let turn = 0; turn < 4; turn++) {
      const child = runWriter("replace", workspace, "f", String(size));
      await firstLine(child);
      // Wait for a temporary file to be there, so that the kill falls into a write.
      const deadline = Date.now() + 10_000;
      while (Date.now() < deadline && !pathsBelow(workspace).some(isTempName)) {
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      child.kill("SIGKILL");
      await child.stdout.cancel();
      await child.status;
      const bytes = Deno.readFileSync(`${workspace}/f`);
      assert.equal(bytes.length, size);
      assert.ok(bytes.every((byte) => byte === bytes[0]), "old and new are mixed");
    }
    const old = newTempName(), young = newTempName(), foreign = `${tempPrefix}notes`;
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of [old, young, foreign]) {
      Deno.writeTextFileSync(`${workspace}/${name}`, "rest");
    }
    for (const name of [old, foreign]) Deno.utimeSync(`${workspace}/${name}`, longAgo, longAgo);
    write(workspace, "f", "done", "replace");
    const left = pathsBelow(workspace);
    assert.ok(!left.includes(old));
    assert.ok(left.includes(young));
    assert.ok(left.includes(foreign));
    assert.equal(Deno.readTextFileSync(`${workspace}/f`), "done");
  }));

testWhere(
  posix,
  "a write that the disk has no room for leaves the old file and nothing else",
  () =>
    withWorkspace(async (workspace) => {
      Deno.writeTextFileSync(`${workspace}/keep.txt`, "k".repeat(10_240));
      // A limit on file sizes fails a write half-way just as a full disk does, for any user.
      const shell = `trap '' XFSZ; ulimit -f 256; exec "$0" run -A --no-lock "$@"`;
      const { stdout } = await new Deno.Command("bash", {
        args: ["-c", shell, Deno.execPath(), writer, "fill", workspace, "keep.txt"],
        stderr: "inherit",
      }).output();
      assert.match(new TextDecoder().decode(stdout), /^io_error (file too large|no space)/);
      assert.equal(Deno.readTextFileSync(`${workspace}/keep.txt`), "k".repeat(10_240));
      assert.deepEqual(pathsBelow(workspace), ["keep.txt"]);
    }),
);

Deno.test("a file that changes while it is written is left as the other program made it", () =>
  withWorkspace((workspace) => {
    Deno.writeTextFileSync(`${workspace}/f`, "old");
    assert.throws(() =>
      writeInside(node, {
        bounds: { workspace },
        path: "f",
        existing: "update",
        content: () => {
          Deno.writeTextFileSync(`${workspace}/f`, "theirs");
          return bytesOf("ours");
        },
      }), /changed while it was written: f/);
    assert.equal(Deno.readTextFileSync(`${workspace}/f`), "theirs");
    assert.deepEqual(pathsBelow(workspace), ["f"]);
    return Promise.resolve();
  }));

Deno.test("the process is back in its folder whatever happens", () =>
  withWorkspace((workspace) => {
    const before = Deno.cwd();
    write(workspace, "a/b/c", "x", "create");
    assert.equal(Deno.cwd(), before);
    for (const path of ["a/b/c", "/x", "a/b/c/d", "..", "a"]) {
      assert.throws(() => write(workspace, path, "x", "create"));
      assert.equal(Deno.cwd(), before);
    }
    return Promise.resolve();
  }));

Deno.test("the root folder can be the workspace", () =>
  withWorkspace((folder) => {
    write("/", `${folder.slice(1)}/f`, "x", "create");
    assert.equal(Deno.readTextFileSync(`${folder}/f`), "x");
    return Promise.resolve();
  }));
