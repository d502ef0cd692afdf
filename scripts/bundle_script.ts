/** Joins the chunks of a bundle to one script: modules become functions that run when first asked for. */
import * as esbuild from "esbuild";
import { isBuiltin } from "node:module";

export interface Chunk {
  /** How the others import it, as `./chunk.js`. */
  readonly name: string;
  /** An ECMAScript module without top-level await. */
  readonly text: string;
}

/**
 * The script is one expression, a function of two things: what gives a module of Node by its name, and
 * the address that the chunks have as `import.meta.url`. It returns the exports of the chunk `entry`.
 * Only the functions that a run needs are compiled, or come from V8's kept code.
 */
export async function joinChunks(chunks: readonly Chunk[], entry: string): Promise<string> {
  const names = new Set(chunks.map(({ name }) => name));
  const modules = await Promise.all(
    chunks.map(async ({ name, text }) =>
      `${JSON.stringify(name)}(require,module){${await asFunctionBody(text, names)}}`
    ),
  );
  const script = `(function(node,${address}){"use strict";` +
    `const modules={${modules.join(",\n")}},made={__proto__:null};` +
    `function require(name){` +
    `let module=made[name];` +
    `if(module===undefined){made[name]=module={};` +
    `if(name.startsWith("./"))modules[name](require,module);else module.exports=node(name)}` +
    `return module.exports}` +
    `async function ${late}(name){` +
    `const found=require(name);` +
    `return name.startsWith("./")?found:Object.create(found,{default:{value:found}})}` +
    `return require(${JSON.stringify(entry)})})`;
  return inAscii(script);
}

/**
 * One character beyond ASCII, and V8 keeps two bytes for each of the script: 1 MB more, and 1 ms longer
 * to read. The bundler escapes such characters but for those in regular expressions, where an escape
 * means the same.
 */
function inAscii(script: string): string {
  return script.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// Names that no chunk uses for anything else.
const address = "addressOfProgram", late = "importLate";

/** The module with `require` in place of imports, and `module.exports` set before anything runs. */
async function asFunctionBody(text: string, names: ReadonlySet<string>): Promise<string> {
  // A package may have a `require` of its own where it imports something late.
  const withLate = text.replace(
    /\bimport\("([^"]+)"\)/g,
    (whole, name: string) => names.has(name) || isBuiltin(name) ? `${late}("${name}")` : whole,
  );
  const { code } = await esbuild.transform(withLate, {
    format: "cjs",
    platform: "node",
    target: "esnext",
    minify: true,
    supported: { "dynamic-import": false },
    // the second one is for running from source alone
    define: { "import.meta.url": address, "import.meta.resolve": "undefined" },
  });
  return code;
}
