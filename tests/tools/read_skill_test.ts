/** The tests of the read_skill tool. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Skill } from "../../src/core/skill.ts";
import { discoverSkills } from "../../src/instructions/skills.ts";
import { readSkillTool } from "../../src/tools/read_skill.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";

async function withSkill(
  body: string,
  use: (skills: readonly Skill[], workspace: string) => Promise<void>,
) {
  await withWorkspace(async (workspace) => {
    const folder = join(workspace, ".nimlet/skills/review");
    await Deno.mkdir(folder, { recursive: true });
    const front = "---\nname: review\ndescription: Reviews\n---\n\n";
    await Deno.writeTextFile(join(folder, "SKILL.md"), front + body);
    const { skills, notices } = await discoverSkills({ workspace, trusted: true });
    assert.deepEqual(notices, []);
    await use(skills, workspace);
  });
}

const head = "name: review\nfolder: .nimlet/skills/review\n\n";

Deno.test("read_skill gives the whole body without the front matter", () =>
  withSkill("# Review\n\n---\n\nLook closely.\n", async (skills, workspace) => {
    const tool = readSkillTool(() => skills);
    const result = await callTool(tool, { name: "review" }, toolContext(workspace));
    assert.equal(result.text, `${head}# Review\n\n---\n\nLook closely.\n`);
    assert.equal(result.isError, false);
    assert.equal(tool.parallel, true);
    assert.deepEqual(tool.capabilities, ["read"]);
    assert.equal(tool.grantKey, undefined);
  }));

Deno.test("read_skill gives 100,000 bytes whole and says where a longer body is cut", async () => {
  await withSkill("é".repeat(50_000), async (skills, workspace) => {
    const tool = readSkillTool(() => skills);
    const result = await callTool(tool, { name: "review" }, toolContext(workspace));
    assert.equal(result.text, head + "é".repeat(50_000));
  });
  await withSkill(`a${"é".repeat(50_000)}`, async (skills, workspace) => {
    const tool = readSkillTool(() => Promise.resolve(skills));
    const result = await callTool(tool, { name: "review" }, toolContext(workspace));
    const cut = "[... cut: the skill has 100001 bytes, only the first 99999 are given ...]";
    assert.equal(result.text, `${head}a${"é".repeat(49_999)}\n${cut}`);
  });
});

Deno.test("read_skill gives the start of a file of many megabytes", () =>
  withSkill("x".repeat(3_000_000), async (skills, workspace) => {
    const tool = readSkillTool(() => skills);
    const result = await callTool(tool, { name: "review" }, toolContext(workspace));
    assert.match(result.text, /the skill has 3000000 bytes/);
    assert.ok(result.text.length < 100_300);
  }));

Deno.test("read_skill takes names, never paths, and lists what it knows", () =>
  withSkill("Body\n", async (skills, workspace) => {
    await Deno.writeTextFile(join(workspace, "secret.md"), "secret");
    const tool = readSkillTool(() => skills);
    for (const name of ["../../../secret.md", join(workspace, "secret.md"), "rewiev", "a\0b"]) {
      const result = await callTool(tool, { name }, toolContext(workspace));
      assert.equal(result.code, "not_found");
      assert.match(result.text, /Known skills: review\./);
      assert.doesNotMatch(result.text, /secret$/);
    }
    const close = await callTool(tool, { name: "revew" }, toolContext(workspace));
    assert.match(close.text, /There is no skill "revew"\. Did you mean review\?/);
    const empty = readSkillTool(() => []);
    const none = await callTool(empty, { name: "review" }, toolContext(workspace));
    assert.equal(none.text, 'There is no skill "review": no skills were found.');
  }));

Deno.test("read_skill takes a name as listed, and nothing like it", () =>
  withSkill("Body\n", async (skills, workspace) => {
    const tool = readSkillTool(() => skills);
    for (const name of ["Review", " review", "review ", "re_view", "review/", "skill:review"]) {
      const result = await callTool(tool, { name }, toolContext(workspace));
      assert.equal(result.code, "not_found", name);
      assert.match(result.text, /Known skills: review\./);
    }
    assert.equal((await callTool(tool, { name: "review" }, toolContext(workspace))).isError, false);
  }));

Deno.test("read_skill checks its arguments", () =>
  withSkill("Body\n", async (skills, workspace) => {
    const tool = readSkillTool(() => skills);
    const missing = await callTool(tool, {}, toolContext(workspace));
    assert.equal(missing.text, "invalid_arguments: name: expected string");
  }));
