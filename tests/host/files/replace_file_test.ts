/** The tests of whole-file writes: races, kills, full disks, temporary files. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isTempName, tempPrefix } from "../../../src/core/temp_name.ts";
import { nodeFiles } from "../../../src/host/files/node_files.ts";
import { type LibraryCalls, openLibraryCalls } from "../../../src/host/files/library_calls.ts";
import { statOf } from "../../../src/host/files/open_file.ts";
import { swapIn } from "../../../src/host/files/swap_in.ts";
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

Deno.test("a folder that another makes or removes just now is stepped into or made", () =>
  withWorkspace((workspace) => {
    const { chdir, mkdirSync } = Deno;
    try {
      // made after it was found missing
      let isMissing = true;
      Deno.chdir = (folder) => {
        const found = attempt(() => chdir(folder));
        if (folder === "made" && isMissing) mkdirSync("made");
        if (folder === "made") isMissing = false;
        if (found !== undefined) throw found;
      };
      write(workspace, "made/1", "x", "create");
      // removed after it was made
      let removals = 3;
      Deno.mkdirSync = (folder, options) => {
        mkdirSync(folder, options);
        if (removals-- > 0) Deno.removeSync(folder);
      };
      write(workspace, "again/1", "x", "create");
      assert.ok(!isMissing && removals < 0);
      // for ever
      removals = Infinity;
      assert.throws(() => write(workspace, "never/1", "x", "create"), /not found: never\/1/);
    } finally {
      Object.assign(Deno, { chdir, mkdirSync });
    }
    assert.deepEqual(pathsBelow(workspace).sort(), ["again", "again/1", "made", "made/1"]);
    return Promise.resolve();
  }));

function attempt(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

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
    const rest = newTempName(), foreign = `${tempPrefix}notes`;
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of [rest, foreign]) {
      Deno.writeTextFileSync(`${workspace}/${name}`, "rest");
      // What is replaced may be of any age, and waits under such a name for a moment.
      Deno.utimeSync(`${workspace}/${name}`, longAgo, longAgo);
    }
    write(workspace, "f", "done", "replace");
    assert.deepEqual(
      [rest, foreign].filter((name) => !pathsBelow(workspace).includes(name)),
      [],
    );
    laterBy(2 * 60 * 60 * 1000, () => write(workspace, "f", "done later", "replace"));
    assert.deepEqual(pathsBelow(workspace).sort(), [foreign, "f"]);
    assert.equal(Deno.readTextFileSync(`${workspace}/f`), "done later");
  }));

/** Runs `use` while the clock says that so much time has passed. */
function laterBy(ms: number, use: () => void): void {
  const { now } = Date;
  Date.now = () => now() + ms;
  try {
    use();
  } finally {
    Date.now = now;
  }
}

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

const seenText = "old\n", ourText = "ours\n";

/** Replaces a file by `ourText`, with `meddle` run just before names are exchanged. */
function swapWith(
  workspace: string,
  meddle: (file: string, turn: number) => void,
  changes: Partial<LibraryCalls> = {},
) {
  const calls = { ...openLibraryCalls(), ...changes };
  const file = `${workspace}/f`;
  Deno.writeTextFileSync(file, seenText);
  const before = Deno.cwd();
  Deno.chdir(workspace);
  const temp = newTempName();
  const { O_RDONLY } = node.fs.constants;
  const old = node.fs.openSync("f", O_RDONLY);
  Deno.writeTextFileSync(temp, ourText);
  const fd = node.fs.openSync(temp, O_RDONLY);
  let turn = 0;
  try {
    const seen = { file: { fd: old, stat: statOf(node, old) }, bytes: bytesOf(seenText) };
    return swapIn(node, { temp, name: "f", path: "f", seen, fd, bytes: bytesOf(ourText) }, {
      ...calls,
      exchange(one, other) {
        meddle(file, turn++);
        return calls.exchange(one, other);
      },
    });
  } finally {
    for (const open of [old, fd]) node.fs.closeSync(open);
    Deno.chdir(before);
  }
}

const append = (path: string, text: string) => Deno.writeTextFileSync(path, text, { append: true });

const inTheLastMoment: [what: string, meddle: (file: string) => void, left: string][] = [
  ["appends a line", (file) => append(file, "theirs\n"), "old\ntheirs\n"],
  ["writes the file anew", (file) => Deno.writeTextFileSync(file, "new\n"), "new\n"],
  ["puts another file there", (file) => {
    Deno.writeTextFileSync(`${file}.new`, "theirs\n");
    Deno.renameSync(`${file}.new`, file);
  }, "theirs\n"],
  ["puts a file of the same text there", (file) => {
    Deno.writeTextFileSync(`${file}.new`, seenText);
    Deno.renameSync(`${file}.new`, file);
  }, seenText],
  ["changes a character", (file) => Deno.writeTextFileSync(file, "odd\n"), "odd\n"],
];

for (const [what, meddle, left] of inTheLastMoment) {
  testWhere(
    linux,
    `a program that ${what} in the last moment is found, and its file stays`,
    () =>
      withWorkspace((workspace) => {
        const once = (file: string, turn: number) => turn === 0 && meddle(file);
        assert.throws(
          () => swapWith(workspace, once),
          /^ToolFailure: changed while it was written: f/,
        );
        assert.equal(Deno.readTextFileSync(`${workspace}/f`), left);
        assert.deepEqual(pathsBelow(workspace).filter((path) => !isTempName(path)), ["f"]);
        return Promise.resolve();
      }),
  );
}

testWhere(
  linux,
  "what is written while a file is put back is neither lost nor dropped",
  () =>
    withWorkspace((workspace) => {
      const appendTwice = (file: string, turn: number) => append(file, `line ${turn}\n`);
      assert.throws(() => swapWith(workspace, appendTwice), /changed while it was written: f now/);
      assert.equal(Deno.readTextFileSync(`${workspace}/f`), "old\nline 0\nline 1\n");
      assert.deepEqual(pathsBelow(workspace).filter((path) => !isTempName(path)), ["f"]);
      const writeTwice = (file: string, turn: number) =>
        Deno.writeTextFileSync(file, `text ${turn}\n`);
      assert.throws(
        () => swapWith(workspace, writeTwice),
        /f is as another program left it; .* is kept beside it in f\.kept-\w{6}$/,
      );
      assert.equal(Deno.readTextFileSync(`${workspace}/f`), "text 0\n");
      const kept = pathsBelow(workspace).find((path) => path.startsWith("f.kept-"))!;
      assert.equal(Deno.readTextFileSync(`${workspace}/${kept}`), "text 1\n");
      return Promise.resolve();
    }),
);

testWhere(
  linux,
  "a program that has the file open and writes late is waited for, then named",
  () =>
    withWorkspace((workspace) => {
      const file = `${workspace}/f`;
      Deno.writeTextFileSync(file, "");
      let writer: Deno.FsFile | undefined;
      const opens = () => void (writer ??= Deno.openSync(file, { append: true }));
      assert.deepEqual(swapWith(workspace, opens), { openElsewhere: true });
      writer!.close();
      assert.equal(Deno.readTextFileSync(file), ourText);
      writer = undefined;
      let looks = 0;
      using calls = openLibraryCalls();
      const late = {
        isOpenForWriting(name: string) {
          if (looks++ === 1) {
            writer!.writeSync(bytesOf("late\n"));
            writer!.close();
          }
          return calls.isOpenForWriting(name);
        },
      };
      assert.throws(() => swapWith(workspace, opens, late), /changed while it was written: f/);
      assert.equal(Deno.readTextFileSync(file), "old\nlate\n");
      return Promise.resolve();
    }),
);

Deno.test("without an exchange of names the file is replaced, and a late line is kept", () =>
  withWorkspace((workspace) => {
    const without = { exchange: () => false, isOpenForWriting: () => undefined };
    assert.deepEqual(swapWith(workspace, () => {}, without), { openElsewhere: false });
    assert.equal(Deno.readTextFileSync(`${workspace}/f`), ourText);
    assert.throws(
      () => swapWith(workspace, (file) => append(file, "theirs\n"), without),
      /^ToolFailure: written, but another program wrote to f .*kept beside it in f\.kept-/,
    );
    const kept = pathsBelow(workspace).find((path) => path.startsWith("f.kept-"))!;
    assert.equal(Deno.readTextFileSync(`${workspace}/${kept}`), "old\ntheirs\n");
    return Promise.resolve();
  }));

testWhere(
  linux,
  "lines that a program appends all the time are there, or reported as lost",
  () =>
    withWorkspace(async (workspace) => {
      Deno.writeTextFileSync(`${workspace}/f`, "start 0\n");
      const loop = 'i=0; while [ ! -e stop ]; do i=$((i+1)); echo "line $i" >> f; done; echo $i';
      const appender = new Deno.Command("sh", {
        args: ["-c", loop],
        cwd: workspace,
        stdout: "piped",
      }).spawn();
      let done = 0, refused = 0, told = 0;
      const decoder = new TextDecoder();
      const edit = () => {
        const { openElsewhere } = writeInside(node, {
          bounds: { workspace },
          path: "f",
          existing: "update",
          content: (_, old) => bytesOf(decoder.decode(old).replace(/start \d+/, `start ${done}`)),
        });
        done++;
        // a shell that was held up for long with the file open
        if (openElsewhere) told++;
      };
      try {
        while (done + refused < 40) {
          try {
            edit();
          } catch (error) {
            assert.match(String(error), /changed while it was written/);
            refused++;
          }
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        Deno.writeTextFileSync(`${workspace}/stop`, "");
      }
      const { stdout } = await appender.output();
      const count = Number(decoder.decode(stdout));
      const kept = pathsBelow(workspace).filter((path) => path.startsWith("f"));
      const text = kept.map((path) => Deno.readTextFileSync(`${workspace}/${path}`)).join("");
      const found = new Set(text.match(/^line \d+$/gm));
      const lost = Array.from({ length: count }, (_, index) => `line ${index + 1}`)
        .filter((line) => !found.has(line));
      assert.ok(lost.length <= told, `${done} edits, ${refused} refused, ${count} lines`);
      assert.ok(count > 0);
    }),
);

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
