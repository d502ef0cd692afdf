/** Joins the chunks of a bundle to one script: modules become functions that run when first asked for. */
import * as esbuild from "esbuild";
import { isBuiltin } from "node:module";

export interface Chunk {
  /** How the others import it, as `./chunk.js`. */
  readonly name: string;
  /** An ECMAScript module as the bundler writes it, without top-level await; each statement begins a line. */
  readonly text: string;
}

/**
 * The script is one expression, a function of two things: what gives a module of Node by its name, and
 * the address that the chunks have as `import.meta.url`. It returns the exports of the chunk `entry`.
 * Only the functions that a run needs are compiled, or come from V8's kept code. Throws for chunks that
 * import one another, and for those that complete what they export later.
 */
export async function joinChunks(chunks: readonly Chunk[], entry: string): Promise<string> {
  const bodies = new Map(chunks.map(({ name, text }) => [name, asBody(name, text)]));
  refuseCycles(bodies);
  const modules = [...bodies].map(([name, { imports, body }]) => {
    const late = body.replace(
      // A package may have a `require` of its own where it imports something late.
      /\bimport\("([^"]+)"\)/g,
      (whole, name: string) =>
        bodies.has(name) || isBuiltin(name) ? `${importLate}("${name}")` : whole,
    );
    return `${JSON.stringify(name)}(${require}){${imports.map(asConstants).join("")}${late}}`;
  });
  const script = `program=(function(${node},${address}){"use strict";` +
    `const modules={${modules.join(",\n")}},made={__proto__:null};` +
    `function ${require}(name){` +
    `return made[name]??=name.startsWith("./")?modules[name](${require}):${node}(name)}` +
    `async function ${importLate}(name){` +
    `const found=${require}(name);` +
    `return name.startsWith("./")?found:Object.create(found,{default:{value:found}})}` +
    `return ${require}(${JSON.stringify(entry)})})`;
  const { code } = await esbuild.transform(script, {
    platform: "node",
    target: "esnext",
    minify: true,
    legalComments: "none",
    supported: { "dynamic-import": false },
  });
  return inAscii(/^program=(.*);\s*$/s.exec(code)![1]!);
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
const address = "addressOfProgram",
  importLate = "importLate",
  require = "requireChunk",
  node = "requireNode";

interface Import {
  readonly from: string;
  readonly whole: string | undefined;
  readonly all: string | undefined;
  readonly parts: readonly Pair[];
}

type Pair = readonly [theirs: string, ours: string];

interface Body {
  readonly imports: readonly Import[];
  /** Statements, which return what the chunk exports. */
  readonly body: string;
}

const importStatement =
  /^import (?:([\w$]+)(?:, | ))?(?:\* as ([\w$]+) |\{([^}]*)\} )?(?:from )?"([^"]+)";$/gm;
const exportStatement = /^export \{([^}]*)\};$/gm;

function asBody(name: string, text: string): Body {
  if (/\b__esm\(/.test(text)) throw new Error(`${name} completes later what it exports`);
  const imports: Import[] = [], exports: Pair[] = [];
  const body = text.replace(importStatement, (_, whole, all, parts, from) => {
    imports.push({ from, whole, all, parts: pairsIn(parts) });
    return "";
  }).replace(exportStatement, (_, parts) => {
    exports.push(...pairsIn(parts));
    return "";
  })
    .replaceAll("import.meta.url", address)
    // for running from source alone
    .replaceAll("import.meta.resolve", "undefined");
  const missed = /^(?:import|export)\b.*/m.exec(body);
  if (missed !== null) throw new Error(`${name} has a statement that is not known: ${missed[0]}`);
  const exported = exports.map(([ours, theirs]) => `${theirs}:${ours}`);
  return { imports, body: `${body}\nreturn {${exported.join(",")}}` };
}

/** The pairs of a list such as `a as b, c`. */
function pairsIn(parts = ""): Pair[] {
  return parts.split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) => {
    const [from = "", to = from] = part.split(" as ");
    return [from, to];
  });
}

/**
 * What is imported as variables of its own: a chunk is complete when another one has it, and does not
 * change what it has exported (`layer_rules.ts`).
 */
function asConstants({ from, whole, all, parts }: Import): string {
  const found = `${require}(${JSON.stringify(from)})`;
  if (!from.startsWith("./") && !isBuiltin(from)) throw new Error(`a chunk imports ${from}`);
  const named = parts.map(([theirs, ours]) => theirs === ours ? ours : `${theirs}:${ours}`);
  const names = [
    ...(all ? [`${all}=${found}`] : []),
    // Node's modules are their own default export
    ...(whole ? [`${whole}=${found}${from.startsWith("./") ? ".default" : ""}`] : []),
    ...(parts.length > 0 ? [`{${named.join(",")}}=${found}`] : []),
  ];
  return names.length > 0 ? `var ${names.join(",")};` : `${found};`;
}

/** A chunk in a cycle would see another one before that is complete. */
function refuseCycles(bodies: ReadonlyMap<string, Body>): void {
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]) => {
    if (trail.includes(name)) {
      throw new Error(`chunks import one another: ${[...trail, name].join(" -> ")}`);
    }
    if (done.has(name)) return;
    for (const { from } of bodies.get(name)?.imports ?? []) visit(from, [...trail, name]);
    done.add(name);
  };
  for (const name of bodies.keys()) visit(name, []);
}
