import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { readSources } from "../../scripts/check_layers.ts";
import { findFaults } from "../../scripts/layer_rules.ts";

/** The faults of a project of these files, each with a proper first line added. */
async function faultsOf(files: Record<string, string>): Promise<string[]> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-layers-test-" }));
  try {
    await Deno.writeTextFile(
      join(root, "deno.json"),
      JSON.stringify({
        imports: {
          "yaml": "npm:yaml@2.9.1",
          "zod": "npm:zod@4.6.7",
          "openai": "npm:openai@7.59.0",
        },
      }),
    );
    await Deno.mkdir(join(root, "scripts"));
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(join(root, dirname(path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), `/** A test. */\n${text}\n`);
    }
    return findFaults(await readSources(root));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const good = {
  "main.ts": 'import { main } from "./src/cli/main.ts"; main();',
  "src/cli/main.ts": 'import { a } from "../config/a.ts"; export const main = () => a;',
  "src/config/a.ts":
    'import { b } from "../lib/b.ts"; export const a = b; // Deno.exit, console.log',
  "src/lib/b.ts": 'export const b = "Deno.exit"; export const c = 1;',
};

Deno.test("a project in order has no faults", async () => {
  assert.deepEqual(await faultsOf(good), []);
});

Deno.test("a package that is imported late is no fault", async () => {
  const late = 'export const b = async () => (await import("./c.ts")).c;';
  const wrapper = 'import { parse } from "yaml"; export const c = parse;';
  assert.deepEqual(await faultsOf({ ...good, "src/lib/b.ts": late, "src/lib/c.ts": wrapper }), []);
});

const broken: [string, Record<string, string>, RegExp][] = [
  ["an import upwards", {
    "src/lib/b.ts": 'import type { a } from "../config/a.ts"; export const b: typeof a = "";',
  }, /^src\/lib\/b\.ts: imports src\/config\/a\.ts upwards/],
  ["an import sideways", {
    "src/config/a.ts": 'export const a = (await import("../session/s.ts")).s;',
    "src/session/s.ts": 'export { b as s } from "../lib/b.ts";',
  }, /^src\/config\/a\.ts: imports src\/session\/s\.ts sideways/],
  ["a variable that is exported", {
    "src/lib/b.ts": 'export let b = "";',
  }, /^src\/lib\/b\.ts: exports a variable; export a function, or keep it in an object$/],
  ["host and search side by side", {
    "src/cli/main.ts":
      'import { a } from "../config/a.ts"; import { h } from "../host/h.ts"; export const main = () => [a, h];',
    "src/host/h.ts": 'export { s as h } from "../search/s.ts";',
    "src/search/s.ts": "export const s = 1;",
  }, /^src\/host\/h\.ts: imports src\/search\/s\.ts sideways/],
  ["a cycle", {
    "src/lib/b.ts": 'import { c } from "./c.ts"; export const b = () => c;',
    "src/lib/c.ts": 'import { b } from "./b.ts"; export const c = () => b;',
  }, /src\/lib\/b\.ts -> src\/lib\/c\.ts -> src\/lib\/b\.ts: a cycle/],
  [
    "a file nobody imports",
    { "src/lib/alone.ts": "export const x = 1;" },
    /alone\.ts: nothing in the/,
  ],
  ["a package outside its wrapper", {
    "src/config/a.ts":
      'import { parse } from "yaml"; import { b } from "../lib/b.ts"; export const a = [parse, b];',
  }, /^src\/config\/a\.ts: imports yaml; wrap the package/],
  ["a schema library taken directly", {
    "src/lib/b.ts": 'import { z } from "zod"; export const b = z;',
  }, /^src\/lib\/b\.ts: imports zod; take z from core/],
  ["values of a package that is there for its types", {
    "src/lib/b.ts": 'import { OpenAI } from "openai"; export const b = OpenAI;',
  }, /^src\/lib\/b\.ts: imports values of openai; import its types only/],
  ["types of a provider's package elsewhere", {
    "src/lib/b.ts":
      'import type { OpenAI } from "openai"; export const b: OpenAI | undefined = undefined;',
  }, /^src\/lib\/b\.ts: imports openai; only providers\/ may/],
  ["a package that every start would load", {
    "src/lib/b.ts": 'import { parse } from "yaml"; export const b = parse;',
  }, /^src\/cli\/main\.ts -> src\/config\/a\.ts -> src\/lib\/b\.ts: loads yaml at the start/],
  ["a room that most runs do not need", {
    "src/lib/b.ts": "export const b = 1;",
    "src/config/a.ts":
      'import { m } from "../mcp/m.ts"; import { b } from "../lib/b.ts"; export const a = [m, b];',
    "src/mcp/m.ts": "export const m = 1;",
  }, /^src\/cli\/main\.ts -> src\/config\/a\.ts: loads src\/mcp\/m\.ts at the start/m],
  ["the machine by name", {
    "src/lib/b.ts": "export const b = Deno.pid;",
  }, /^src\/lib\/b\.ts:2: uses Deno/],
  ["the machine by module", {
    "src/lib/b.ts": 'export { statSync as b } from "node:fs";',
  }, /^src\/lib\/b\.ts: imports node:fs/],
  ["the console", {
    "src/lib/b.ts": 'console.log("x"); export const b = 1;',
  }, /^src\/lib\/b\.ts:2: uses console/],
  ["a long file", {
    "src/lib/b.ts": `export const b = 1;${"\n// more".repeat(250)}`,
  }, /^src\/lib\/b\.ts: 252 lines, more than 250/],
  ["a room that is none", { "src/utils/x.ts": "export const x = 1;" }, /src\/utils is no room/],
];

for (const [name, files, fault] of broken) {
  Deno.test(`${name} is found`, async () => {
    const faults = await faultsOf({ ...good, ...files });
    assert(faults.some((line) => fault.test(line)), faults.join("\n") || "no fault was found");
  });
}
