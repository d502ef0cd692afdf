import assert from "node:assert/strict";
import { join } from "node:path";
import { projectParts } from "../../src/permissions/project_parts.ts";
import { isTrustedAsIs, judgeTrust, renewTrust, setTrust } from "../../src/permissions/trust.ts";
import { put, putTool, withProject } from "./projects.ts";

const partNames = (...args: Parameters<typeof projectParts>) =>
  projectParts(...args).map((part) => part.name);

Deno.test("a folder without anything of its own needs no trust", () =>
  withProject(async (place) => {
    await put(place.workspace, "AGENTS.md", "Be brief.");
    await put(place.workspace, ".git/config", "");
    await Deno.mkdir(join(place.workspace, ".nimlet/tools"), { recursive: true });
    assert.equal((await judgeTrust(place)).state, "nothing to trust");
    await assert.rejects(Deno.stat(place.nimletHome!), Deno.errors.NotFound);
  }));

Deno.test("an empty folder that is trusted stays so, and what appears in it is asked about", () =>
  withProject(async (place) => {
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
    await put(place.workspace, ".nimlet/config.json", "{}");
    assert.deepEqual((await judgeTrust(place)).changes, [".nimlet/config.json was added"]);
  }));

Deno.test("what a folder brings is named", () =>
  withProject(async ({ workspace }) => {
    const names = [
      ".agent/extensions/e/extension.json",
      ".agent/skills/s/SKILL.md",
      ".agents/prompts/p.md",
      ".nimlet/config.json",
      ".nimlet/permissions.json",
      ".nimlet/SYSTEM.md",
      ".nimlet/APPEND_SYSTEM.md",
      ".nimlet/prompts/q.md",
    ];
    for (const name of names) await put(workspace, name, "x");
    await putTool(workspace, ".agent/tools/a");
    await putTool(workspace, ".nimlet/tools/b");
    assert.deepEqual(partNames(workspace), [
      ".agent/tools/a",
      ".agent/extensions/e",
      ".agent/skills/s",
      ".agents/prompts/p.md",
      ".nimlet/config.json",
      ".nimlet/permissions.json",
      ".nimlet/SYSTEM.md",
      ".nimlet/APPEND_SYSTEM.md",
      ".nimlet/tools/b",
      ".nimlet/prompts/q.md",
    ]);
  }));

Deno.test("the user's own folders are no project's", () =>
  withProject(async (place) => {
    const home = place.home!;
    await put(home, ".nimlet/config.json", "{}");
    await put(home, ".agents/skills/s/SKILL.md", "x");
    assert.deepEqual(partNames(home, place), []);
    await put(home, ".agent/skills/s/SKILL.md", "x");
    assert.deepEqual(partNames(home, place), [".agent/skills/s"]);
  }));

Deno.test("an answer is remembered for the folder, privately", () =>
  withProject(async (place) => {
    await put(place.workspace, ".nimlet/config.json", "{}");
    assert.equal((await judgeTrust(place)).state, "unknown");
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
    const info = await Deno.stat(join(place.nimletHome!, "trust.json"));
    assert.equal(info.mode! & 0o777, 0o600);
    await setTrust(place, false);
    assert.equal((await judgeTrust(place)).state, "refused");
  }));

Deno.test("without a home folder nothing is trusted, and nothing crashes", () =>
  withProject(async ({ workspace }) => {
    await put(workspace, ".nimlet/config.json", "{}");
    assert.equal((await judgeTrust({ workspace })).state, "unknown");
    await assert.rejects(setTrust({ workspace }, true), { name: "TrustError" });
  }));

const changes: [string, string, (workspace: string) => Promise<void>][] = [
  [
    "the command of a tool",
    ".nimlet/tools/t was changed",
    (workspace) => putTool(workspace, ".nimlet/tools/t", ["run", "other"]),
  ],
  [
    "the bytes of an executable",
    ".nimlet/tools/t was changed",
    (workspace) => put(workspace, ".nimlet/tools/t/run", "#!/bin/sh\nrm x\n", 0o755),
  ],
  [
    "a file that the executable may load",
    ".nimlet/tools/t was changed",
    (workspace) => put(workspace, ".nimlet/tools/t/lib/helper.py", "x = 1\n"),
  ],
  [
    "the project's settings",
    ".nimlet/config.json was changed",
    (workspace) => put(workspace, ".nimlet/config.json", '{"providers":{}}'),
  ],
  [
    "the project's grants",
    ".nimlet/permissions.json was added",
    (workspace) => put(workspace, ".nimlet/permissions.json", '{"allow":["bash:make"]}'),
  ],
  [
    "a tool folder that became a link",
    ".nimlet/tools/t was changed",
    async (workspace) => {
      await Deno.rename(join(workspace, ".nimlet/tools/t"), join(workspace, "elsewhere"));
      await Deno.symlink(join(workspace, "elsewhere"), join(workspace, ".nimlet/tools/t"));
    },
  ],
  [
    "a script that a manifest passes to a program",
    ".agent/tools/script was changed",
    (workspace) => put(workspace, "scripts/tool.py", "print(2)\n"),
  ],
  [
    "a tool that is new",
    ".agent/tools/new was added",
    (workspace) => putTool(workspace, ".agent/tools/new"),
  ],
  [
    "a tool in a hidden folder",
    ".nimlet/tools/.t was added",
    (workspace) => putTool(workspace, ".nimlet/tools/.t"),
  ],
  [
    "an extension in a hidden file",
    ".nimlet/extensions/.e.ts was added",
    (workspace) => put(workspace, ".nimlet/extensions/.e.ts", "1"),
  ],
  [
    "the manifest in a folder that a link leads to",
    ".nimlet/tools/linked was changed",
    (workspace) => putTool(workspace, "shared/linked", ["run", "other"]),
  ],
  [
    "an executable with many files beside it",
    ".nimlet/tools/full was changed",
    (workspace) => put(workspace, ".nimlet/tools/full/run", "#!/bin/sh\nrm x\n", 0o755),
  ],
  [
    "the end of a very large executable",
    ".nimlet/tools/large was changed",
    async (workspace) => {
      const path = join(workspace, ".nimlet/tools/large/run");
      using file = await Deno.open(path, { write: true });
      await file.seek(-3, Deno.SeekMode.End);
      await file.write(new TextEncoder().encode("rm\n"));
    },
  ],
  [
    "an extension",
    ".nimlet/extensions/e was changed",
    (workspace) => put(workspace, ".nimlet/extensions/e/main", "other"),
  ],
  [
    "a tool that is gone",
    ".nimlet/tools/t was removed",
    (workspace) => Deno.remove(join(workspace, ".nimlet/tools/t"), { recursive: true }),
  ],
];

for (const [what, sentence, change] of changes) {
  Deno.test(`trust ends with a change of what it was given for: ${what}`, () =>
    withProject(async (place) => {
      const { workspace } = place;
      await put(workspace, ".nimlet/config.json", "{}");
      await put(workspace, ".nimlet/extensions/e/main", "one");
      await putTool(workspace, ".nimlet/tools/t");
      await putTool(workspace, "shared/linked");
      await Deno.symlink("../../shared/linked", join(workspace, ".nimlet/tools/linked"));
      await putTool(workspace, ".nimlet/tools/full");
      for (let index = 0; index < 600; index++) {
        await put(workspace, `.nimlet/tools/full/data/${index}`, "");
      }
      await putTool(workspace, ".nimlet/tools/large");
      const large = await Deno.open(join(workspace, ".nimlet/tools/large/run"), { write: true });
      await large.truncate(17 * 1024 * 1024);
      large.close();
      await put(workspace, "scripts/tool.py", "print(1)\n");
      await putTool(workspace, ".agent/tools/script", ["/usr/bin/python3", "scripts/tool.py"]);
      await setTrust(place, true);
      assert.equal((await judgeTrust(place)).state, "trusted");
      await change(workspace);
      const judged = await judgeTrust(place);
      assert.equal(judged.state, "changed");
      assert.deepEqual(judged.changes, [sentence]);
      await setTrust(place, true);
      assert.equal((await judgeTrust(place)).state, "trusted");
    }));
}

Deno.test("what cannot run and caches beside a program may change", () =>
  withProject(async (place) => {
    await putTool(place.workspace, ".nimlet/tools/t");
    await put(place.workspace, ".nimlet/SYSTEM.md", "one");
    await setTrust(place, true);
    await put(place.workspace, ".nimlet/SYSTEM.md", "two");
    await put(place.workspace, ".nimlet/tools/t/__pycache__/run.pyc", "cache");
    assert.equal((await judgeTrust(place)).state, "trusted");
  }));

Deno.test("a trusted folder covers what is inside it, from then on as it was first met", () =>
  withProject(async (place) => {
    const inner = { ...place, workspace: join(place.workspace, "packages/one") };
    await put(inner.workspace, ".nimlet/config.json", "{}");
    assert.equal((await judgeTrust(inner)).state, "unknown");
    await setTrust(place, true);
    assert.equal((await judgeTrust(inner)).state, "trusted");
    await put(inner.workspace, ".nimlet/config.json", '{"a":1}');
    assert.equal((await judgeTrust(inner)).state, "changed");
    await setTrust(inner, false);
    assert.equal((await judgeTrust(inner)).state, "refused");
    const beside = { ...place, workspace: `${place.workspace}-beside` };
    await put(beside.workspace, ".nimlet/config.json", "{}");
    assert.equal((await judgeTrust(beside)).state, "unknown");
  }));

Deno.test("a refusal does not cover what is inside", () =>
  withProject(async (place) => {
    const inner = { ...place, workspace: join(place.workspace, "inner") };
    await put(inner.workspace, ".nimlet/config.json", "{}");
    await setTrust(place, false);
    assert.equal((await judgeTrust(inner)).state, "unknown");
  }));

Deno.test("what nimlet writes itself is taken over, and nothing else with it", () =>
  withProject(async (place) => {
    await putTool(place.workspace, ".nimlet/tools/t");
    await setTrust(place, true);
    const name = ".nimlet/permissions.json";
    assert(await isTrustedAsIs(place, name) === false);
    await put(place.workspace, name, '{"allow":[]}');
    await put(place.workspace, ".nimlet/tools/t/run", "other", 0o755);
    await renewTrust(place, [name]);
    assert(await isTrustedAsIs(place, name));
    assert.deepEqual((await judgeTrust(place)).changes, [".nimlet/tools/t was changed"]);
  }));

Deno.test("a folder that had nothing to trust can keep its first grant, and nothing else", () =>
  withProject(async (place) => {
    const name = ".nimlet/permissions.json";
    await put(place.workspace, name, '{"allow":["bash:ls"]}');
    await putTool(place.workspace, ".nimlet/tools/t");
    await renewTrust(place, [name]);
    assert.equal((await judgeTrust(place)).state, "unknown");
    await renewTrust(place, [name], true);
    assert.deepEqual((await judgeTrust(place)).changes, [".nimlet/tools/t was added"]);
  }));

Deno.test("a trust file that makes no sense trusts nobody, is told, and is put aside", () =>
  withProject(async (place) => {
    await put(place.workspace, ".nimlet/config.json", "{}");
    for (const text of ["{", "[]", '{"folders":[]}', '{"folders":{"/":1}}']) {
      await put(place.nimletHome!, "trust.json", text);
      assert.equal((await judgeTrust(place)).state, "unknown");
    }
    await put(place.nimletHome!, "trust.json", "{ broken");
    assert.match((await judgeTrust(place)).warnings.join(), /trust\.json is not a JSON object/);
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
    const kept = [...Deno.readDirSync(place.nimletHome!)].map((entry) => entry.name)
      .filter((name) => name.startsWith("trust.json.unreadable-"));
    assert.equal(kept.length, 1);
    assert.equal(await Deno.readTextFile(join(place.nimletHome!, kept[0]!)), "{ broken");
  }));

Deno.test("pipes and devices among the parts are not waited for", () =>
  withProject(async (place) => {
    await Deno.mkdir(join(place.workspace, ".nimlet/tools/t"), { recursive: true });
    for (const name of [".nimlet/config.json", ".nimlet/tools/t/tool.json"]) {
      await new Deno.Command("mkfifo", { args: [join(place.workspace, name)] }).output();
    }
    await Deno.symlink("/dev/zero", join(place.workspace, ".nimlet/tools/t/run"));
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
  }));

Deno.test("other folders' entries and unknown keys of the file stay", () =>
  withProject(async (place) => {
    await put(place.workspace, ".nimlet/config.json", "{}");
    const before = { note: 1, folders: { "/other": { trusted: false, parts: {} } } };
    await put(place.nimletHome!, "trust.json", JSON.stringify(before));
    await setTrust(place, true);
    const after = JSON.parse(await Deno.readTextFile(join(place.nimletHome!, "trust.json")));
    assert.equal(after.note, 1);
    assert.deepEqual(Object.keys(after.folders).sort(), ["/other", place.workspace].sort());
  }));
