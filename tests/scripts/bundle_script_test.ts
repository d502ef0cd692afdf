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

bundlerTest(
  "chunks that import each other see each other's functions and changing values",
  async () => {
    const { count, next } = await run({
      "./entry.js": 'import{add}from"./a.js";export let count=()=>add();export{next}from"./a.js";',
      "./a.js": 'import{count}from"./entry.js";export let next=0;export function add(){next++;' +
        "return typeof count+next}",
    });
    assert.equal(next, 0);
    assert.equal(count(), "function1");
    assert.equal(count(), "function2");
  },
);

bundlerTest("a chunk runs once, and one that is imported late runs when it is", async () => {
  const { late, ran } = await run({
    "./entry.js": 'import{ran}from"./log.js";export{ran};import"./a.js";import"./b.js";' +
      'export const late=async()=>(await import("./late.js")).value;',
    "./log.js": "export const ran=[];",
    "./a.js": 'import"./b.js";import{ran}from"./log.js";ran.push("a");',
    "./b.js": 'import{ran}from"./log.js";ran.push("b");',
    "./late.js": 'import{ran}from"./log.js";ran.push("late");export const value=7;',
  });
  assert.deepEqual(ran, ["b", "a"]);
  assert.equal(await late(), 7);
  assert.equal(await late(), 7);
  assert.deepEqual(ran, ["b", "a", "late"]);
});

bundlerTest("the script is in ASCII, so that V8 keeps one byte for a character", async () => {
  const text =
    'export const found=["‘a’…","日本","😀"].map(t=>/[‘’…]/.test(t)||/^[、-日]/.test(t)||' +
    "/^[😀-😂]$/u.test(t));export const shown=`é${1}`;export const said='“😀”';";
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
    "./entry.js": 'import{join}from"node:path";import*as path from"node:path";' +
      'export const joined=[join("a","b"),path.posix.join("c","d"),path.default.sep];' +
      "export const url=import.meta.url;export const self=(function(){return this})();",
  });
  assert.deepEqual(found.joined, [join("a", "b"), "c/d", sep]);
  assert.equal(found.url, "file:///program/main.js");
  assert.equal(found.self, undefined);
});

bundlerTest("a late import works where the code has a require of its own", async () => {
  const { name, posix } = await run({
    "./entry.js": 'export async function name(){const{createRequire:c}=await import("module");' +
      'var require=c(import.meta.url);eval("");return require("path").basename("a/b")}' +
      'export const posix=async()=>(await import("node:path")).default.posix.sep;',
  });
  assert.equal(await name(), "b");
  assert.equal(await posix(), "/");
});

bundlerTest("text beyond ASCII comes through", async () => {
  const { text } = await run({ "./entry.js": 'export const text="naïve 🙂 \\u2028";' });
  assert.equal(text, "naïve 🙂 \u2028");
});
