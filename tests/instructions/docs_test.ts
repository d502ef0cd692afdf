/** The check that the examples of the docs do what they say. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { instructionFileNames, maxInstructionBytes } from "../../src/instructions/agents_files.ts";
import { expandPrompt } from "../../src/instructions/expand_prompt.ts";
import { findTemplates } from "../../src/instructions/prompts.ts";
import { discoverSkills } from "../../src/instructions/skills.ts";
import { withTree } from "./files.ts";

function page(name: string): string {
  return Deno.readTextFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)));
}

/** The first Markdown example of a page. */
function example(text: string): string {
  return /```markdown\n([\s\S]*?)```/.exec(text)![1]!;
}

Deno.test("docs: the skill of skills.md loads and its /skill: line works", () =>
  withTree(async (tree) => {
    const text = page("skills.md");
    tree.write("w/.nimlet/skills/release-notes/SKILL.md", example(text));
    const { skills, notices } = await discoverSkills({ ...tree.locations, trusted: true });
    assert.deepEqual(notices, []);
    assert.ok(text.includes(`description: ${skills[0]!.description}\n`));
    const line = /^\/skill:.*$/m.exec(text)![0];
    const known = { skills, templates: [], builtIns: [], workspace: tree.workspace };
    const expanded = await expandPrompt(line, known);
    assert.ok(expanded.kind === "expanded" && expanded.text.endsWith("for version 2.0"));
  }));

Deno.test("docs: the template of prompts.md is filled by its command", () =>
  withTree(async (tree) => {
    const text = page("prompts.md");
    tree.write("w/.nimlet/prompts/review.md", example(text));
    const { templates } = findTemplates({ ...tree.locations, trusted: true });
    const prompt = /^nimlet -p "(.*)"$/m.exec(text)![1]!;
    const known = { skills: [], templates, builtIns: [], workspace: tree.workspace };
    const expanded = await expandPrompt(prompt, known);
    assert.ok(expanded.kind === "expanded");
    assert.equal(expanded.text, "Review src for errors. List them with file and line. src");
  }));

Deno.test("docs: instructions.md names the files in their order, and the bounds", () => {
  const text = page("instructions.md");
  const listed = [...text.matchAll(/^\d\. `(.+)`$/gm)].map((match) => match[1]);
  assert.deepEqual(listed, [...instructionFileNames]);
  assert.ok(text.includes(`${maxInstructionBytes / 1024} KiB`));
});
