/** The check that trust in a tool ends with a change of all that it consists of, and with no other. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { namesIn } from "../../src/permissions/command_names.ts";
import { looksUnchanged, recordPart } from "../../src/permissions/part_digest.ts";
import { projectParts } from "../../src/permissions/project_parts.ts";
import { projectTrust } from "../../src/permissions/project_trust.ts";
import {
  judgeTrust,
  recordProject,
  setTrust,
  type TrustPlace,
} from "../../src/permissions/trust.ts";
import { put, putTool, withProject } from "./projects.ts";

const tool = ".nimlet/tools/t";

/** Trusts a tool with `command` among `files`, then makes `change`: what the next look says. */
async function changesAfter(
  command: (place: TrustPlace) => string[],
  files: Record<string, string>,
  change: (workspace: string) => Promise<unknown>,
): Promise<readonly string[]> {
  let changes: readonly string[] = [];
  await withProject(async (place) => {
    const { workspace } = place;
    for (const [name, text] of Object.entries(files)) await put(workspace, name, text);
    await putTool(workspace, tool, command(place));
    await setTrust(place, true);
    const trust = await trustNow(place);
    assert.equal((await judgeTrust(place)).state, "trusted");
    assert.deepEqual(await trust.toolChanges(), []);
    await change(workspace);
    ({ changes } = await judgeTrust(place));
    // Judged at a start and before a call it is the same.
    assert.deepEqual(await trust.toolChanges(), changes);
  });
  return changes;
}

async function trustNow(place: TrustPlace) {
  const trust = projectTrust(place, () => recordProject(place));
  await trust.ready();
  return trust;
}

const write = (name: string, text = "changed\n") => (workspace: string) =>
  put(workspace, name, text);

/** Command, files, and the file that is changed, which may not have been there. */
const named: Record<string, [(place: TrustPlace) => string[], string[], string]> = {
  "by the process's own folder": [() => ["/proc/self/cwd/s/x.sh"], ["s/x.sh"], "s/x.sh"],
  "as an argument by the process's own folder": [
    () => ["/bin/sh", "/proc/self/cwd/s/x.sh"],
    ["s/x.sh"],
    "s/x.sh",
  ],
  "by a link beside the project": [
    ({ workspace }) => {
      Deno.symlinkSync(workspace, `${workspace}-link`);
      return ["/bin/sh", `${workspace}-link/s/x.sh`];
    },
    ["s/x.sh"],
    "s/x.sh",
  ],
  "in another spelling": [() => ["/bin/sh", "./s//../s/x.sh"], ["s/x.sh"], "s/x.sh"],
  "from the home folder": [() => ["sh", "-c", "~/../project/s/x.sh"], ["s/x.sh"], "s/x.sh"],
  "beside the tool's folder": [() => ["../../lib/run"], [".nimlet/lib/run"], ".nimlet/lib/run"],
  "as the value of an option": [() => ["node", "--require=./h.cjs"], ["h.cjs"], "h.cjs"],
  "as an option's next word": [() => ["node", "-r", "./h.cjs"], ["h.cjs"], "h.cjs"],
  "in one word with its option": [() => ["node", "-r./h.cjs"], ["h.cjs"], "h.cjs"],
  "without its ending": [() => ["node", "./h"], ["h.js"], "h.js"],
  "as a folder with an index": [() => ["node", "pkg"], ["pkg/index.js"], "pkg/index.js"],
  "as a folder with a package.json": [
    () => ["node", "pkg"],
    ["pkg/package.json"],
    "pkg/package.json",
  ],
  "by the package.json of a folder": [
    () => ["node", "pkg"],
    ["pkg/package.json", "pkg/lib/start.js"],
    "pkg/lib/start.js",
  ],
  "as a file of a folder that is named": [() => ["node", "./pkg"], ["pkg/a/b.js"], "pkg/a/b.js"],
  "as the workspace": [() => ["node", "."], ["index.js"], "index.js"],
  "as a module": [() => ["python3", "-m", "mod"], ["mod.py"], "mod.py"],
  "as a module of a package": [() => ["python3", "-m", "a.b"], ["a/b.py"], "a/b.py"],
  "as the start of a package": [() => ["python3", "-m", "a"], ["a/__main__.py"], "a/__main__.py"],
  "as a module of a folder of modules": [
    () => ["perl", "-Ilib", "-MFoo::Bar", "-e", "0"],
    ["lib/Foo/Bar.pm"],
    "lib/Foo/Bar.pm",
  ],
  "in a path of folders": [
    () => ["env", "PYTHONPATH=vendor:lib", "python3", "-m", "x"],
    ["lib/x.py"],
    "lib/x.py",
  ],
  "as an installed module": [
    () => ["node", "-r", "h"],
    ["node_modules/h/index.js"],
    "node_modules/h/index.js",
  ],
  "in the text that a shell runs": [
    () => ["sh", "-c", 'cd /tmp; . "$NIMLET_WORKSPACE/s/x.sh"&& go'],
    ["s/x.sh"],
    "s/x.sh",
  ],
  "by a pattern in a shell's text": [
    () => ["bash", "-c", "for f in ./parts/*.sh; do . $f; done"],
    ["parts/1.sh"],
    "parts/1.sh",
  ],
  "past the hundredth word": [
    () => ["sh", "-c", 'exec "$a"', ...Array(300).fill("x"), "./s/x.sh"],
    ["s/x.sh"],
    "s/x.sh",
  ],
  "that was not there when it was trusted": [() => ["sh", "./s/x.sh"], ["s/y"], "s/x.sh"],
  "after a change of folder": [() => ["sh", "-c", "cd s && . ./x.sh"], ["s/x.sh"], "s/x.sh"],
  "in a folder that an option names": [
    () => ["env", "--chdir=s", "./x.sh"],
    ["s/x.sh"],
    "s/x.sh",
  ],
  "with a variable in its path": [() => ["sh", "-c", "D=s; . $D/x.sh"], ["s/x.sh"], "s/x.sh"],
  "on a path of programs": [() => ["env", "PATH=bin:/bin", "x"], ["bin/x"], "bin/x"],
  "with a blank in its name": [() => ["sh", "./s/x y.sh"], ["s/x y.sh"], "s/x y.sh"],
};
for (const [what, [command, files, changed]] of Object.entries(named)) {
  Deno.test(`trust ends with a change of a file that a command names: ${what}`, async () => {
    const texts = files.map((name) => [
      name,
      name.endsWith("package.json") ? '{"main":"lib/start.js"}' : "good\n",
    ]);
    const changes = await changesAfter(command, Object.fromEntries(texts), write(changed));
    assert.deepEqual(changes, [`${tool} was changed`]);
  });
}

Deno.test("a tool with very many files is covered by their times, its command first of all", () =>
  withProject(async (place) => {
    const { workspace } = place;
    for (let index = 0; index < 700; index++) await put(workspace, `${tool}/a/${index}`, "1");
    await put(workspace, `${tool}/zz/inner/lib.sh`, "good\n");
    await put(workspace, "s/x.sh", "good\n");
    await putTool(workspace, tool, ["/bin/sh", "./s/x.sh"]);
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
    for (const changed of ["s/x.sh", `${tool}/zz/inner/lib.sh`, `${tool}/a/99`]) {
      await put(workspace, changed, "changed\n");
      assert.deepEqual((await judgeTrust(place)).changes, [`${tool} was changed`]);
      await setTrust(place, true);
    }
  }));

const inTool: Record<string, [Record<string, string>, (workspace: string) => Promise<unknown>]> = {
  ...Object.fromEntries(
    ["venv", ".venv", "node_modules", "__pycache__", ".git"].map((name) => [
      `a file named ${name}`,
      [{ [`${tool}/${name}`]: "good\n" }, write(`${tool}/${name}`)],
    ]),
  ),
  "a file in the tenth folder": [
    { [`${tool}/1/2/3/4/5/6/7/8/9/10/x`]: "" },
    write(`${tool}/1/2/3/4/5/6/7/8/9/10/x`),
  ],
  "a link that leads elsewhere": [
    { "a/x": "", "b/x": "" },
    async (workspace) => {
      await Deno.symlink("../../../b", `${workspace}/${tool}/l`);
    },
  ],
};
for (const [what, [files, change]] of Object.entries(inTool)) {
  Deno.test(`trust ends with a change of what a tool's folder holds: ${what}`, async () => {
    const changes = await changesAfter(() => ["run"], files, change);
    assert.deepEqual(changes, [`${tool} was changed`]);
  });
}

Deno.test("trust ends with a change of what a link in a tool's folder leads to", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await putTool(workspace, tool);
    await put(workspace, "shared/lib/x.sh", "good\n");
    await Deno.symlink("../../../shared", join(workspace, tool, "lib"));
    await Deno.symlink("..", join(workspace, "shared/lib/round"));
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
    await put(workspace, "shared/lib/x.sh", "changed\n");
    assert.deepEqual((await judgeTrust(place)).changes, [`${tool} was changed`]);
  }));

for (const name of [".keep", ".gitignore", ".DS_Store"]) {
  Deno.test(`a tool in a folder named ${name} is a part like any other`, () =>
    withProject(async (place) => {
      await putTool(place.workspace, `.nimlet/tools/${name}`);
      await put(place.workspace, ".agent/tools/.keep", "");
      const parts = projectParts(place.workspace, place).map((part) => part.name);
      assert.deepEqual(parts, [`.nimlet/tools/${name}`]);
    }));
}

const free: Record<string, [string[], Record<string, string>, string]> = {
  "what is left out of a tool's folder": [["run"], {}, `${tool}/node_modules/x/index.js`],
  "a file that nothing names": [["node", "./h.js"], { "h.js": "" }, "other.js"],
  "a folder that shares its name with a word": [
    ["npm", "run", "build"],
    { "build/out.txt": "" },
    "build/out.txt",
  ],
  "where an option puts what is made": [
    ["node", "./h.js", "--out=./dist"],
    { "h.js": "", "dist/a/b.txt": "" },
    "dist/a/b.txt",
  ],
  "the rest of the workspace, where that is named": [
    ["eslint", "."],
    { "src/a.js": "" },
    "src/a.js",
  ],
};
for (const [what, [command, files, changed]] of Object.entries(free)) {
  Deno.test(`trust stays through a change of ${what}`, async () => {
    assert.deepEqual(await changesAfter(() => command, files, write(changed)), []);
  });
}

Deno.test("a file that was only touched, or written as it was, stays trusted", async () => {
  const changes = await changesAfter(
    () => ["run"],
    { [`${tool}/lib`]: "same" },
    async (workspace) => {
      const path = join(workspace, tool, "lib");
      await Deno.utime(path, 1, 1);
      await Deno.remove(path);
      await put(workspace, `${tool}/lib`, "same");
    },
  );
  assert.deepEqual(changes, []);
});

Deno.test("before a call the quick look sees every write, also where length and times are as before", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await putTool(workspace, tool);
    await put(workspace, `${tool}/lib`, "old");
    const path = join(workspace, tool, "lib");
    const young = await recordPart(place, tool);
    assert.equal(young.settled, false);
    assert.equal(looksUnchanged(place, tool, young), false);
    // Times are kept in steps of up to two seconds.
    await new Promise((resolve) => setTimeout(resolve, 3100));
    const before = await recordPart(place, tool);
    assert.equal(before.settled, true);
    assert.equal(looksUnchanged(place, tool, before), true);
    const { mtime } = await Deno.stat(path);
    await Deno.writeTextFile(path, "new");
    await Deno.utime(path, mtime!, mtime!);
    assert.equal(looksUnchanged(place, tool, before), false);
  }));

Deno.test("before a call every tool of the project counts, added and removed ones too", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await putTool(workspace, tool);
    await put(workspace, ".nimlet/config.json", "{}");
    const trust = await trustNow(place);
    // Settings are read once, at the start.
    await put(workspace, ".nimlet/config.json", '{"a":1}');
    assert.deepEqual(await trust.toolChanges(), []);
    await put(workspace, `${tool}/run`, "new", 0o755);
    assert.deepEqual(await trust.toolChanges(), [`${tool} was changed`]);
    await putTool(workspace, tool);
    assert.deepEqual(await trust.toolChanges(), []);
    await putTool(workspace, ".agent/tools/beside");
    await Deno.remove(join(workspace, tool), { recursive: true });
    assert.deepEqual(await trust.toolChanges(), [
      ".agent/tools/beside was added",
      `${tool} was removed`,
    ]);
  }));

Deno.test("a command with more words than can be looked at is never taken for unchanged", () =>
  withProject(async (place) => {
    await putTool(place.workspace, tool, [
      "run",
      ...Array.from({ length: 21_000 }, (_, i) => `w${i}`),
    ]);
    await setTrust(place, true);
    assert.deepEqual((await judgeTrust(place)).changes, [`${tool} was changed`]);
  }));

Deno.test("the words of a command give the names that they can mean", () => {
  const texts = (word: string) => namesIn(word).map(({ text }) => text);
  assert.deepEqual(texts("plain"), ["plain"]);
  assert.ok(texts("-MFoo::Bar=x").includes("Foo/Bar"));
  assert.ok(texts("--import=./a.js,./b.js").includes("./b.js"));
  assert.ok(texts('. "$(pwd)/s.sh"').includes("./s.sh"));
  assert.deepEqual(texts(""), []);
});
