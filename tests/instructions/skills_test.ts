/** The tests of skill discovery. */
import assert from "node:assert/strict";
import { discoverSkills } from "../../src/instructions/skills.ts";
import { skillText, type Tree, withTree } from "./files.ts";

const descriptions = (found: Awaited<ReturnType<typeof discoverSkills>>) =>
  Object.fromEntries(found.skills.map((skill) => [skill.name, skill.description]));

function discover(tree: Tree, trusted = true) {
  return discoverSkills({ ...tree.locations, trusted });
}

Deno.test("skills: none anywhere gives none and no notice", () =>
  withTree(async (tree) => {
    assert.deepEqual(await discover(tree), { skills: [], notices: [] });
    const { workspace } = tree.locations;
    assert.deepEqual(await discoverSkills({ workspace, trusted: true }), {
      skills: [],
      notices: [],
    });
  }));

Deno.test("skills: every form of description loads whole; an empty one is said with file and line", () =>
  withTree(async (tree) => {
    const forms: Record<string, [front: string, description: string]> = {
      colon: ["description: Use for X: do Y", "Use for X: do Y"],
      "two-lines": ["description: Use for X\n  and for Y: do Z", "Use for X and for Y: do Z"],
      "under-the-key": ["description:\n  Use for X: do Y", "Use for X: do Y"],
      folded: ["description: >-\n  Use for X\n  and: Y # really", "Use for X and: Y # really"],
      literal: ["description: |\n  Use for X\n  and: Y", "Use for X and: Y"],
      double: ['description: "Say \\"hi\\": now"', 'Say "hi": now'],
      single: ["description: 'it''s: now'", "it's: now"],
      hash: ["description: Use for issue #12 and more", "Use for issue #12 and more"],
      "tab-value": ["description:\n\tUse for X: do Y", "Use for X: do Y"],
      "tab-folded": ["description: >-\n\tUse for X\n\tand Y", "Use for X and Y"],
      bracket: ["description: [Beta] Use for X", "[Beta] Use for X"],
      star: ["description: *not* an alias", "*not* an alias"],
      at: ["description: @scope names", "@scope names"],
      path: ['description: "C:\\path\\to"', "C:\\path\\to"],
      number: ["description: 42", "42"],
      extra: [
        'license: MIT\nmetadata:\n  version: "1.0"\nallowed-tools: [a, b]\ndescription: Fine',
        "Fine",
      ],
    };
    for (const [name, [front]] of Object.entries(forms)) {
      tree.write(`w/.nimlet/skills/${name}/SKILL.md`, `---\nname: ${name}\n${front}\n---\nBody\n`);
    }
    tree.write("w/.nimlet/skills/tabs/SKILL.md", "---\n\tname: tabs\n\tdescription: Tabs\n---\n");
    tree.write("w/.nimlet/skills/mark/SKILL.md", `\ufeff${skillText("mark", "Marked")}`);
    const crlf = skillText("crlf", "With CR: LF").replaceAll("\n", "\r\n");
    tree.write("w/.nimlet/skills/crlf/SKILL.md", crlf);
    tree.write("w/.nimlet/skills/empty/SKILL.md", "---\nname: empty\ndescription:\n---\nBody\n");
    const found = await discover(tree);
    assert.deepEqual(descriptions(found), {
      ...Object.fromEntries(Object.entries(forms).map(([name, [, text]]) => [name, text])),
      tabs: "Tabs",
      mark: "Marked",
      crlf: "With CR: LF",
    });
    assert.deepEqual(found.notices, [
      ".nimlet/skills/empty/SKILL.md:3: the description is empty; the skill was skipped.",
      '.nimlet/skills/hash/SKILL.md:3: description: YAML would drop the text from " #" on; quote the value.',
    ]);
  }));

Deno.test("skills: what cannot be one is said with file and line", () =>
  withTree(async (tree) => {
    tree.write("w/.agents/skills/no-front/SKILL.md", "# Title\n");
    tree.write("w/.agents/skills/unclosed/SKILL.md", "---\nname: unclosed\ndescription: x\n");
    tree.write("w/.agents/skills/none/SKILL.md", "---\nname: none\n---\n");
    tree.write("w/.agents/skills/bytes/SKILL.md", new Uint8Array([0x2d, 0, 1, 2]));
    tree.write("w/.agents/skills/blank/SKILL.md", "");
    tree.write("w/.agents/skills/readme-only/README.md", "# Not yet\n");
    tree.write("w/.agents/skills/flat.md", skillText("flat", "Flat"));
    tree.write("w/.agents/skills/README.md", "# Our skills\n");
    Deno.mkdirSync(`${tree.workspace}/.agents/skills/folder/SKILL.md`, { recursive: true });
    const found = await discover(tree);
    assert.deepEqual(found.skills, []);
    assert.deepEqual([...found.notices].sort(), [
      ".agents/skills/blank/SKILL.md:1: expected front matter between --- lines, found an empty file; the skill was skipped.",
      ".agents/skills/bytes/SKILL.md:1: the file is not text; the skill was skipped.",
      ".agents/skills/flat.md is no folder with a SKILL.md (expected flat/SKILL.md); it was skipped.",
      ".agents/skills/folder/SKILL.md is a folder, not a file; it was skipped.",
      '.agents/skills/no-front/SKILL.md:1: expected front matter between --- lines, found "# Title"; the skill was skipped.',
      ".agents/skills/none/SKILL.md:1: no description; the skill was skipped.",
      ".agents/skills/readme-only holds no SKILL.md; it was skipped.",
      ".agents/skills/unclosed/SKILL.md:1: the front matter has no closing ---; the skill was skipped.",
    ]);
  }));

Deno.test("skills: a name that is not of the usual form is kept or made one word, with a notice", () =>
  withTree(async (tree) => {
    tree.write("w/.nimlet/skills/a/SKILL.md", skillText("My Great Skill!", "A"));
    tree.write("w/.nimlet/skills/b/SKILL.md", skillText("snake_case", "B"));
    tree.write("w/.nimlet/skills/c/SKILL.md", "---\ndescription: C\n---\n");
    tree.write("w/.nimlet/skills/d/SKILL.md", skillText("../../etc/passwd", "D"));
    const found = await discover(tree);
    assert.deepEqual(Object.keys(descriptions(found)), [
      "c",
      "etc-passwd",
      "my-great-skill",
      "snake_case",
    ]);
    assert.equal(found.notices.length, 3);
    assert.match(found.notices[0]!, /a\/SKILL\.md:2: .*My Great Skill.* known as my-great-skill/);
  }));

Deno.test("skills: later roots win, with one notice for each name; untrusted projects do not count", () =>
  withTree(async (tree) => {
    tree.write("home/.agents/skills/review/SKILL.md", skillText("review", "agents home"));
    tree.write("home/.nimlet/skills/review/SKILL.md", skillText("review", "nimlet home"));
    tree.write("w/.agent/skills/review/SKILL.md", skillText("review", "agent"));
    tree.write("w/.agents/skills/review/SKILL.md", skillText("review", "agents"));
    tree.write("w/.nimlet/skills/review/SKILL.md", skillText("Review", "nimlet"));
    const trusted = await discover(tree);
    assert.deepEqual(descriptions(trusted), { Review: "nimlet" });
    assert.equal(trusted.notices.filter((notice) => notice.startsWith("skill Review")).length, 1);
    const untrusted = await discover(tree, false);
    assert.deepEqual(descriptions(untrusted), { review: "nimlet home" });
    assert.deepEqual(untrusted.notices, [
      "skill review: ~/.nimlet/skills/review is used in place of ~/.agents/skills/review.",
    ]);
  }));

Deno.test("skills: of one name twice in a root the later folder in name order wins", () =>
  withTree(async (tree) => {
    for (const folder of ["m", "z", "a"]) {
      tree.write(`w/.nimlet/skills/${folder}/SKILL.md`, skillText("same", `in ${folder}`));
    }
    const found = await discover(tree);
    assert.deepEqual(descriptions(found), { same: "in z" });
    assert.deepEqual(found.notices, [
      "skill same: .nimlet/skills/z is used in place of .nimlet/skills/a, .nimlet/skills/m.",
    ]);
  }));

Deno.test("skills: links are followed where they lead to skills; the others are said", () =>
  withTree(async (tree) => {
    tree.write("w/tools/inside/SKILL.md", skillText("inside", "Inside"));
    tree.write("home/.agents/skills/mine/SKILL.md", skillText("mine", "Mine"));
    tree.write("o/team/SKILL.md", skillText("team", "Team"));
    tree.link("../../tools/inside", "w/.agents/skills/inside");
    tree.link(`${tree.home}/.agents/skills/mine`, "w/.agents/skills/mine");
    tree.link(`${tree.outside}/team`, "w/.agents/skills/team");
    tree.link("loop", "w/.agents/skills/loop");
    tree.link("..", "w/.agents/skills/up");
    tree.link("nowhere", "w/.agents/skills/dangling");
    tree.link("/dev/zero", "w/.agents/skills/zero/SKILL.md");
    tree.write("w/.agents/skills/text", "../../.agents/skills/x");
    tree.write("w/.agents/skills/text-file/SKILL.md", "../../../.agents/skills/x/SKILL.md");
    await tree.pipe("w/.agents/skills/pipe/SKILL.md");
    const trusted = await discover(tree);
    assert.deepEqual(descriptions(trusted), { inside: "Inside", mine: "Mine", team: "Team" });
    const said = (name: string) =>
      trusted.notices.filter((notice) => notice.includes(`skills/${name}`));
    assert.match(said("loop")[0]!, /leads to itself/);
    assert.match(said("up")[0]!, /link back to a folder that holds it/);
    assert.match(said("dangling")[0]!, /leads nowhere/);
    assert.match(said("zero")[0]!, /is a device, not a file/);
    assert.match(said("pipe")[0]!, /is a pipe, not a file/);
    assert.match(said("text ")[0]!, /names \.\.\/\.\.\/\.agents\/skills\/x, not a link/);
    assert.match(said("text-file")[0]!, /SKILL\.md:1: expected front matter/);
    const untrusted = await discover(tree, false);
    assert.deepEqual(descriptions(untrusted), { mine: "Mine" });
    assert.deepEqual(untrusted.notices, []);
  }));

Deno.test("skills: a link to a skill of an earlier root is no conflict", () =>
  withTree(async (tree) => {
    tree.write("w/.agents/skills/one/SKILL.md", skillText("one", "One"));
    tree.link("../../.agents/skills/one", "w/.nimlet/skills/one");
    assert.deepEqual((await discover(tree)).notices, []);
  }));

Deno.test("skills: a project root that is a link to another root counts once", () =>
  withTree(async (tree) => {
    tree.write("w/.agents/skills/one/SKILL.md", skillText("one", "One"));
    tree.link("../.agents/skills", "w/.nimlet/skills");
    const found = await discover(tree);
    assert.deepEqual(descriptions(found), { one: "One" });
    assert.deepEqual(found.notices, []);
  }));

Deno.test("skills: collections of skills in deeper folders are found", () =>
  withTree(async (tree) => {
    tree.write("home/.agents/skills/pack/README.md", "# Pack\n");
    tree.write("home/.agents/skills/pack/skills/deep/SKILL.md", skillText("deep", "Deep"));
    tree.write("home/.agents/skills/pack/skills/deep/examples/x/SKILL.md", skillText("x", "X"));
    tree.write("home/.agents/skills/lower/skill.md", skillText("lower", "Lower"));
    tree.write("home/.agents/skills/pack/.git/x/SKILL.md", skillText("hidden", "Hidden"));
    const found = await discover(tree);
    assert.deepEqual(descriptions(found), { deep: "Deep", lower: "Lower" });
    assert.deepEqual(found.notices, []);
  }));

Deno.test("skills: long descriptions and front matter behind the first piece are read", () =>
  withTree(async (tree) => {
    const long = "word ".repeat(400).trim();
    tree.write("w/.nimlet/skills/long/SKILL.md", skillText("long", long));
    const padded = `---\nname: far\n${"# padding\n".repeat(2000)}description: Far\n---\nBody\n`;
    tree.write("w/.nimlet/skills/far/SKILL.md", padded);
    const found = await discover(tree);
    const { far, long: cut } = descriptions(found);
    assert.equal(far, "Far");
    assert.equal(cut!.length, 1024);
    assert.ok(cut!.endsWith("…"));
    assert.match(found.notices[0]!, /long\/SKILL\.md:3: the description has 1999 characters/);
  }));

Deno.test("skills: a body is read when it is asked for, as it is then", () =>
  withTree(async (tree) => {
    const path = tree.write("w/.nimlet/skills/a/SKILL.md", skillText("a", "A", "First\n"));
    const [skill] = (await discover(tree)).skills;
    assert.deepEqual(await skill!.readBody(), { kind: "body", text: "First\n" });
    Deno.writeTextFileSync(path, skillText("a", "A", "Second\n"));
    assert.deepEqual(await skill!.readBody(), { kind: "body", text: "Second\n" });
    Deno.removeSync(path);
    const gone = await skill!.readBody();
    assert.deepEqual(gone, { kind: "unreadable", problem: ".nimlet/skills/a/SKILL.md is gone." });
  }));
