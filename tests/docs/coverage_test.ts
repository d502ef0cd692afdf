/** The check that the docs leave out nothing that a person can set. */
import assert from "node:assert/strict";
import { optionTable } from "../../src/cli/options.ts";
import { builtInTools } from "../../src/tools/builtin.ts";
import { pages, root } from "./shown_commands.ts";

const all = pages().map((page) => Deno.readTextFileSync(root + page)).join("\n");

Deno.test("docs: every variable of the environment that the program reads is explained", () => {
  const names = new Set<string>();
  for (const path of sources(`${root}src`)) {
    for (const [, name] of Deno.readTextFileSync(path).matchAll(/["'`.](NIMLET_[A-Z_]+)\b/g)) {
      names.add(name!);
    }
  }
  assert.ok(names.size >= 5, [...names].join(", "));
  for (const name of names) assert.ok(all.includes(`\`${name}\``), name);
});

Deno.test("docs: every flag and every tool has its place", () => {
  for (const { name } of optionTable) assert.ok(all.includes(`--${name}`), name);
  const page = Deno.readTextFileSync(`${root}docs/tools.md`);
  const needs = {
    shell: () => Promise.reject(new Error("no shell is needed to name the tools")),
    skills: () => [],
  };
  for (const { name } of builtInTools(needs)) {
    assert.ok(page.includes(`\n## ${name}\n\n<!-- generated:tool-${name} -->`), name);
  }
});

function sources(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? sources(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}
