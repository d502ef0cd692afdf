/** The loop over fixtures/skills: one folder for each way to write a skill, right or wrong. */
import assert from "node:assert/strict";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { discoverSkills } from "../../src/instructions/skills.ts";
import { withTree } from "./files.ts";

/** `expected.json` of a folder. Without a description the skill must be missing, and said to be. */
interface Expected {
  readonly description?: string;
  /** Where it is not the folder's name. */
  readonly name?: string;
  /** The only notice about the folder begins or ends with this behind the folder's path. */
  readonly notice?: string;
}

const fixtures = fileURLToPath(new URL("../../fixtures/skills", import.meta.url));

function expectations(folder: string): [folder: string, expected: Expected][] {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory) return expectations(path);
    if (entry.name !== "expected.json") return [];
    return [[folder, JSON.parse(Deno.readTextFileSync(path)) as Expected]];
  });
}

Deno.test("skill forms: each loads whole or is said with file and line, none vanishes", () =>
  withTree(async (tree) => {
    tree.link(fixtures, "home/.agents/skills");
    const { skills, notices } = await discoverSkills({ ...tree.locations, trusted: false });
    const all = expectations(fixtures);
    assert.ok(all.length > 30);
    const unexplained = new Set(notices);
    for (const [folder, { description, name = basename(folder), notice }] of all) {
      const place = relative(fixtures, folder);
      assert.equal(
        skills.find((skill) => basename(dirname(skill.path)) === basename(folder))?.description,
        description,
        place,
      );
      assert.equal(skills.some((skill) => skill.name === name), description !== undefined, place);
      const start = `~/.agents/skills/${place}`;
      const said = notices.filter((one) =>
        one.startsWith(`${start}/`) || one.startsWith(`${start} `)
      );
      assert.equal(said.length, notice === undefined ? 0 : 1, `${place}: ${said.join("\n")}`);
      if (notice !== undefined) assert.ok(said[0]!.includes(notice), said[0]!);
      for (const one of said) unexplained.delete(one);
    }
    assert.deepEqual([...unexplained], []);
    assert.equal(
      skills.length,
      all.filter(([, { description }]) => description !== undefined).length,
    );
  }));
