/** The check that shell scripts have nothing that shellcheck finds. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { installed, testWhere } from "../support/test_where.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const scripts = [
  ".ci/run",
  "scripts/install.sh",
  "scripts/nimlet",
  "scripts/packaging/action/install.sh",
  "scripts/packaging/action/run.sh",
  "scripts/packaging/get.sh",
];

testWhere(installed("shellcheck"), "scripts: shellcheck finds nothing", async () => {
  const { code, stdout } = await new Deno.Command("shellcheck", {
    args: ["--norc", ...scripts],
    cwd: root,
  }).output();
  assert.deepEqual([code, new TextDecoder().decode(stdout)], [0, ""]);
});

Deno.test("scripts: every shell script of the project is checked", () => {
  const found = ["scripts", ".ci"].flatMap((folder) => shellScripts(folder));
  assert.deepEqual(found.sort(), [...scripts].sort());
});

function shellScripts(folder: string): string[] {
  return [...Deno.readDirSync(root + folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return shellScripts(path);
    return /^#!.*\b(?:ba)?sh\n/.test(Deno.readTextFileSync(root + path)) ? [path] : [];
  });
}
