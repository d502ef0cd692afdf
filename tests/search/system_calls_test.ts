/** The calls of Linux against the runtime's own, which say what they must give. */
import assert from "node:assert/strict";
import {
  type EntryKind,
  openSystemCalls,
  type SystemCalls,
} from "../../src/search/system_calls.ts";
import { runProgram } from "../support/program.ts";
import { linux, testWhere } from "../support/test_where.ts";
import { withWorkspace } from "../support/tool_context.ts";
import { runCommand, writeTree } from "./tree.ts";
import { staysOpen } from "../support/stays_open.ts";

function withCalls(
  name: string,
  run: (calls: SystemCalls, workspace: string) => void | Promise<void>,
): void {
  testWhere(linux, name, () =>
    withWorkspace(async (workspace) => {
      const calls = openSystemCalls();
      assert.ok(calls, "the system's library has these calls");
      await run(calls, workspace);
    }), staysOpen);
}

const asPath = (text: string) => new TextEncoder().encode(`${text}\0`);

function entriesOf(calls: SystemCalls, folder: string): Map<string, EntryKind> {
  const found = new Map<string, EntryKind>();
  calls.list(folder, (name, kind) => {
    assert.ok(!found.has(name), `${name} twice`);
    found.set(name, kind);
  });
  return found;
}

withCalls("a folder is listed as by the runtime, whatever its names", async (calls, workspace) => {
  const names = ["a.ts", ".b", "é", "日本語.md", "\ufeffmark", "a b\n", "-", "x".repeat(255), "😀"];
  await writeTree(workspace, Object.fromEntries(names.map((name) => [`${name}`, ""])));
  // more than one call's worth
  const many = Array.from({ length: 1500 }, (_, index) => [`many-names-${index}`, ""]);
  await writeTree(workspace, Object.fromEntries(many));
  await Deno.mkdir(`${workspace}/folder`);
  await Deno.symlink("a.ts", `${workspace}/link`);
  await Deno.symlink("nowhere", `${workspace}/broken`);
  await runCommand("mkfifo", [`${workspace}/pipe`]);
  await runCommand("sh", ["-c", `: > "$1/$(printf 'odd\\377\\303name')"`, "sh", workspace]);
  // older runtimes leave out names that are not UTF-8
  const odd = "odd\ufffd\ufffdname";

  const expected = new Map<string, EntryKind>();
  for (const { name, isFile, isDirectory, isSymlink } of Deno.readDirSync(workspace)) {
    expected.set(name, isFile ? "file" : isDirectory ? "folder" : isSymlink ? "link" : "other");
  }
  expected.set(odd, "file");
  assert.equal(expected.size, names.length + many.length + 5);
  const byName = (one: [string, EntryKind], other: [string, EntryKind]) =>
    one[0] < other[0] ? -1 : 1;
  assert.deepEqual(
    [...entriesOf(calls, workspace)].sort(byName),
    [...expected].sort(byName),
  );
  assert.deepEqual([...entriesOf(calls, `${workspace}/folder`)], []);
});

withCalls(
  "files whose names end otherwise are passed over and counted",
  async (calls, workspace) => {
    // names of every length, as what lies between two of them differs
    const names = Array.from({ length: 30 }, (_, length) => `${"n".repeat(length + 1)}x`);
    const others = ["x.md", "é.md", "xé.tsx", ".x", ".hidden.md", "é", "s", "ts", ".ts"];
    await writeTree(workspace, Object.fromEntries([...names, ...others].map((name) => [name, ""])));
    await Deno.mkdir(`${workspace}/folder.md`);
    await Deno.symlink("x.md", `${workspace}/link`);
    const encoder = new TextEncoder();
    for (const endings of [["x"], ["é", "ts"], ["xé.tsx"], [".md", "x"], ["é.md", "nothing"]]) {
      const found: string[] = [];
      const bytes = endings.map((ending) => encoder.encode(ending));
      const passed = calls.list(workspace, (name) => void found.push(name), bytes);
      const wanted = [...names, ...others].filter((name) =>
        name.startsWith(".") || endings.some((ending) => name.endsWith(ending))
      );
      assert.deepEqual(found.sort(), [...wanted, "folder.md", "link"].sort(), endings.join(" "));
      assert.equal(passed, names.length + others.length - wanted.length);
    }
  },
);

withCalls("what is no folder that can be read is not listed", async (calls, workspace) => {
  await writeTree(workspace, { "file": "text" });
  await runCommand("mkfifo", [`${workspace}/pipe`]);
  for (const name of ["missing", "file", "pipe", "x".repeat(300), "é/".repeat(3000)]) {
    assert.throws(() => calls.list(`${workspace}/${name}`, () => {}), name);
  }
});

withCalls("a file is read and identified as by the runtime", async (calls, workspace) => {
  await writeTree(workspace, { "é.txt": "some text", "empty": "" });
  const buffer = new Uint8Array(100);
  for (const name of ["é.txt", "empty"]) {
    const path = `${workspace}/${name}`;
    const file = calls.open(asPath(path));
    assert.ok(file >= 0);
    const length = calls.read(file, buffer.subarray(3));
    assert.deepEqual(buffer.slice(3, 3 + length), Deno.readFileSync(path));
    const { dev, ino } = Deno.statSync(path);
    assert.deepEqual(calls.identityOf(file), { dev, ino });
    calls.close(file);
    assert.equal(calls.identityOf(file), undefined);
  }
  // the kernel's own files are on another device
  const file = calls.open(asPath("/proc/self/status"));
  const { dev, ino } = Deno.statSync("/proc/self/status");
  assert.deepEqual(calls.identityOf(file), { dev, ino });
  calls.close(file);
});

withCalls("a pipe is not waited for, and a folder is no file", async (calls, workspace) => {
  await runCommand("mkfifo", [`${workspace}/pipe`]);
  const buffer = new Uint8Array(10);
  const pipe = calls.open(asPath(`${workspace}/pipe`));
  assert.equal(calls.read(pipe, buffer), 0);
  calls.close(pipe);
  const folder = calls.open(asPath(workspace));
  assert.ok(calls.read(folder, buffer) < 0);
  calls.close(folder);
  assert.ok(calls.open(asPath(`${workspace}/missing`)) < 0);
});

withCalls("a file is opened in a folder, which may be a link", async (calls, workspace) => {
  await writeTree(workspace, { "a/é.txt": "some text", "file": "" });
  await Deno.symlink("a", `${workspace}/link`);
  const buffer = new Uint8Array(100);
  for (const name of ["a", "link"]) {
    const folder = calls.openFolder(asPath(`${workspace}/${name}`));
    const file = calls.open(asPath("é.txt"), folder);
    assert.equal(calls.read(file, buffer), 9);
    calls.close(file);
    assert.ok(calls.open(asPath("missing"), folder) < 0);
    calls.close(folder);
  }
  assert.ok(calls.openFolder(asPath(`${workspace}/missing`)) < 0);
  const noFolder = calls.openFolder(asPath(`${workspace}/file`));
  assert.ok(calls.open(asPath("é.txt"), noFolder) < 0);
  calls.close(noFolder);
});

Deno.test("past the first folders and files the program finds the same", async () => {
  await withWorkspace(async (workspace) => {
    const paths = Array.from({ length: 300 }, (_, index) => `${index % 150}/é ${index}.txt`);
    await writeTree(workspace, Object.fromEntries(paths.map((path) => [path, `mark ${path}\n`])));
    const call = async (tool: string, input: unknown) => {
      const args = ["--no-session", "--call-tool", tool, JSON.stringify(input)];
      const { code, stdout, stderr } = await runProgram(args, { cwd: workspace });
      assert.equal(code, 0, stderr);
      return stdout.trimEnd().split("\n");
    };
    const last = paths.filter((path) => / 2[0-9]9/.test(path)).sort();
    assert.deepEqual(await call("glob", { pattern: "**/* 2?9.txt" }), last);
    assert.deepEqual(await call("glob", { pattern: "**/é 2{09,19}.t*" }), [
      "59/é 209.txt",
      "69/é 219.txt",
    ]);
    assert.deepEqual(await call("grep", { pattern: "mark .* 2", glob: "*{ 209,219}.txt" }), [
      "59/é 209.txt:1:mark 59/é 209.txt",
      "69/é 219.txt:1:mark 69/é 219.txt",
    ]);
    assert.deepEqual(
      await call("grep", { pattern: "mark .* 2.9" }),
      last.map((path) => `${path}:1:mark ${path}`),
    );
  });
});
