import assert from "node:assert/strict";
import { formOf, helpText } from "../../src/cli/help.ts";
import { optionTable } from "../../src/cli/options.ts";
import { version } from "../../src/lib/version.ts";

Deno.test("the help names every option, each in one short line", () => {
  const help = helpText();
  const lines = help.trimEnd().split("\n");
  for (const option of optionTable) assert.ok(help.includes(`${formOf(option)} `), option.name);
  assert(lines.length <= optionTable.length + 14, `${lines.length} lines`);
  for (const line of lines) assert(line.length <= 80, `${line.length} columns: ${line}`);
  assert.match(help, /Exit status/);
});

Deno.test("the version is the one of deno.json", async () => {
  const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  assert.equal(version, JSON.parse(text).version);
});

Deno.test("no two options share a name or a short form, and exclusions name real options", () => {
  const names = optionTable.map(({ name }) => name);
  const shorts = optionTable.flatMap(({ short }) => short ?? []);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(shorts).size, shorts.length);
  for (const { excludes, negates } of optionTable) {
    for (const other of [...excludes ?? [], ...negates === undefined ? [] : [negates]]) {
      assert(names.includes(other), other);
    }
  }
});
