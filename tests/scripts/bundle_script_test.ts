/** The tests of the one script that a bundle's chunks become. */
import assert from "node:assert/strict";
import * as esbuild from "esbuild";
import { join, sep } from "node:path";
import { Script } from "node:vm";
import { type Chunk, joinChunks } from "../../scripts/bundle_script.ts";

/** Runs the script of these chunks, by name and text; gives the exports of `./entry.js`. */
// deno-lint-ignore no-explicit-any -- they are what each test writes
async function run(texts: Record<string, string>): Promise<any> {
  const chunks: Chunk[] = Object.entries(texts).map(([name, text]) => ({ name, text }));
  try {
    return new Script(await joinChunks(chunks, "./entry.js")).runInThisContext()(
      process.getBuiltinModule,
      "file:///program/main.js",
    );
  } finally {
    await esbuild.stop();
  }
}

/** The bundler is a process that may end a moment after it was stopped. */
function bundlerTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

bundlerTest("a chunk has what it imports, under names of its own", async () => {
  const { sum, said, named } = await run({
    "./entry.js": `import {
  one,
  two as second
} from "./numbers.js";
import shown, { greeting } from "./words.js";
import * as words from "./words.js";
var one2 = 10;
var sum = one + second + one2;
var said = \`\${shown} \${greeting}\`;
export {
  sum,
  said,
  words as named
};
`,
    "./numbers.js": `var a = 1;
function two() {
}
var b = a + 1;
export {
  a as one,
  b as two
};
`,
    "./words.js": `var shown = "shown", greeting = "hello";
export {
  shown as default,
  greeting
};
`,
  });
  assert.equal(sum, 13);
  assert.equal(said, "shown hello");
  assert.deepEqual({ ...named }, { default: "shown", greeting: "hello" });
});

bundlerTest("chunks that would see one another before they are complete are refused", async () => {
  const texts = {
    "./entry.js": 'import { a } from "./a.js";\nvar b = 1;\nexport { b };\n',
    "./a.js": 'import { b } from "./entry.js";\nvar a = 1;\nexport { a };\n',
  };
  await assert.rejects(
    run(texts),
    /chunks import one another: .*entry\.js -> .*a\.js -> .*entry\.js/,
  );
  const late = { "./entry.js": "var init = __esm({\n});\nvar a;\nexport { a, init };\n" };
  await assert.rejects(run(late), /entry\.js completes later what it exports/);
  const unknown = { "./entry.js": "export default 1;\n" };
  await assert.rejects(
    run(unknown),
    /entry\.js has a statement that is not known: export default 1;/,
  );
  const lost = { "./entry.js": 'import { x } from "lost";\nexport { x };\n' };
  await assert.rejects(run(lost), /a chunk imports lost/);
});

bundlerTest("a chunk runs once, and one that is imported late runs when it is", async () => {
  const { late, ran } = await run({
    "./entry.js": 'import { ran } from "./log.js";\nimport "./a.js";\nimport "./b.js";\n' +
      'var late = async () => (await import("./late.js")).value;\nexport {\n  late,\n  ran\n};\n',
    "./log.js": "var ran = [];\nexport {\n  ran\n};\n",
    "./a.js": 'import "./b.js";\nimport { ran } from "./log.js";\nran.push("a");\n',
    "./b.js": 'import { ran } from "./log.js";\nran.push("b");\n',
    "./late.js": 'import { ran } from "./log.js";\nran.push("late");\nvar value = 7;\n' +
      "export {\n  value\n};\n",
  });
  assert.deepEqual(ran, ["b", "a"]);
  assert.equal(await late(), 7);
  assert.equal(await late(), 7);
  assert.deepEqual(ran, ["b", "a", "late"]);
});

bundlerTest("the script is in ASCII, so that V8 keeps one byte for a character", async () => {
  const text =
    'var found = ["‘a’…", "日本", "😀"].map((t) => /[‘’…]/.test(t) || /^[、-日]/.test(t) || ' +
    "/^[😀-😂]$/u.test(t));\nvar shown = `é${1}`;\nvar said = '“😀”';\nexport { found, shown, said };\n";
  const script = await joinChunks([{ name: "./entry.js", text }], "./entry.js");
  assert.match(script, /^[\0-\x7f]+$/);
  const { found, shown, said } = await run({ "./entry.js": text });
  assert.deepEqual({ found, shown, said }, {
    found: [true, true, true],
    shown: "é1",
    said: "“😀”",
  });
});

bundlerTest("chunks have Node's modules, the program's address, and strict mode", async () => {
  const found = await run({
    "./entry.js": 'import { join } from "node:path";\nimport * as path from "node:path";\n' +
      'import own from "node:path";\n' +
      'var joined = [join("a", "b"), path.posix.join("c", "d"), own.sep];\n' +
      "var url = import.meta.url;\nvar self = (function() {\n  return this;\n})();\n" +
      "export { joined, url, self };\n",
  });
  assert.deepEqual(found.joined, [join("a", "b"), "c/d", sep]);
  assert.equal(found.url, "file:///program/main.js");
  assert.equal(found.self, undefined);
});

bundlerTest("a late import works where the code has a require of its own", async () => {
  const { name, posix } = await run({
    "./entry.js":
      'async function name() {\n  const { createRequire: c } = await import("module");\n' +
      '  var require = c(import.meta.url);\n  eval("");\n  return require("path").basename("a/b");\n}\n' +
      'var posix = async () => (await import("node:path")).default.posix.sep;\n' +
      "export { name, posix };\n",
  });
  assert.equal(await name(), "b");
  assert.equal(await posix(), "/");
});

bundlerTest("text beyond ASCII comes through", async () => {
  const { text } = await run({
    "./entry.js": 'var text = "naïve 🙂 \\u2028";\nexport { text };\n',
  });
  assert.equal(text, "naïve 🙂 \u2028");
});
