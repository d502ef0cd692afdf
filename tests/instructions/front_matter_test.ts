/** The tests of front matter: its ends, and that the quick reading is the one of YAML. */
import assert from "node:assert/strict";
import {
  readFrontMatter,
  readPlainFrontMatter,
  splitFrontMatter,
} from "../../src/instructions/front_matter.ts";
import { readLoosely } from "../../src/instructions/loose_fields.ts";
import { readYamlMap } from "../../src/lib/yaml.ts";

Deno.test("front matter: it ends at its closing line, the rest is the body", () => {
  const split = (text: string) => splitFrontMatter(text);
  assert.deepEqual(split("---\na: 1\n---\nBody\n---\n"), {
    kind: "split",
    block: "a: 1\n",
    firstLine: 2,
    body: "Body\n---\n",
  });
  assert.deepEqual(split("\n---  \na: 1\n...\n"), {
    kind: "split",
    block: "a: 1\n",
    firstLine: 3,
    body: "",
  });
  assert.deepEqual(split("---\n---"), { kind: "split", block: "", firstLine: 2, body: "" });
  assert.deepEqual(split("----\na: 1\n---\n"), { kind: "none", body: "----\na: 1\n---\n" });
  assert.deepEqual(split("---\na: ---\n  ---\n"), { kind: "unclosed", line: 1 });
  assert.deepEqual(split(""), { kind: "none", body: "" });
});

Deno.test("front matter: aliases that multiply are refused, not followed", async () => {
  const levels = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [index, name] of [..."bcdefghi"].entries()) {
    const before = "abcdefgh"[index];
    levels.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`);
  }
  const block = `${levels.join("\n")}\ndescription: Fine\n`;
  assert.equal(readYamlMap(block).kind, "invalid");
  assert.equal((await readFrontMatter(block, 2)).fields.get("description"), "Fine");
});

Deno.test("front matter: tags run nothing, names like __proto__ are plain names", async () => {
  const matter = await readFrontMatter(
    'description: !!js/function "function () {}"\n__proto__: x\nname: !custom n\n',
    2,
  );
  assert.equal(matter.fields.get("description"), "function () {}");
  assert.equal(matter.fields.get("__proto__"), "x");
  assert.equal(matter.fields.get("name"), "n");
});

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  ..."Use for X|do Y|a|B|1|true|null|~|no|0x1F|1e3|2024-01-01|.5|-".split("|"),
  ...": | #|#|:|'|\"|, |[|]|{|}|&|*|!|%|@|`|\\|é|(|)|/|$|->|?|=|<|>".split("|"),
  ..." |  |\t|\n  |\n\t|\n|\n    |\n\n  |\n- |\n  - |\n# |>-|>|\\||&a |*a|\u00a0|\ufeff|\u0085"
    .split("|"),
];
const starts = [
  "",
  " ",
  " >-\n  ",
  " |\n  ",
  " >\n   ",
  ' "',
  " '",
  "\n  ",
  "\n  a: ",
  "\n  - ",
  " [",
];
const ends = ["", '"', "'", "]", "\n", " ", "\n  and more", "\n\n"];
const keys = ["name", "description", "license", "metadata", "allowed-tools", "1", "a b", "no"];

Deno.test("front matter: where no YAML parser is asked, YAML gives the same or refuses all", () => {
  const next = random(20260131);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
  let certain = 0;
  for (let round = 0; round < 20_000; round++) {
    const entries = Array.from({ length: 1 + next(3) }, () => {
      const inner = Array.from({ length: 1 + next(4) }, () => pick(pieces)).join("");
      const word = next(3) > 0 ? pick(["Use ", "Word", "x y"]) : "";
      return `${pick(keys)}:${pick(starts)}${word}${inner}${pick(ends)}`;
    });
    const block = `${entries.join("\n")}\n`;
    const loose = readLoosely(block);
    if (!loose.certain) continue;
    certain++;
    const yaml = readYamlMap(block);
    if (yaml.kind === "invalid") continue;
    for (const key of ["name", "description"]) {
      const value: unknown = yaml.values.get(key);
      const field = loose.fields.get(key);
      const told = readPlainFrontMatter(block, 1)!.fields.get(key);
      if (field?.comment === true) continue;
      const wanted = typeof value === "string" ? value.trim() : value === null ? "" : undefined;
      if (wanted === undefined && value !== undefined) continue;
      assert.equal(told ?? "", wanted ?? "", JSON.stringify(block));
      assert.equal(yaml.values.has(key), loose.fields.has(key), JSON.stringify(block));
    }
  }
  assert.ok(certain > 1000, `only ${certain} were read without the parser`);
});

Deno.test("front matter: a block that is longer than any that people write is read as plain lines", async () => {
  const block = `name: n\ndescription: >\n  Fine.\nother:\n${"  - [".repeat(5000)}\n`;
  const { fields } = await readFrontMatter(block, 2);
  assert.deepEqual([fields.get("name"), fields.get("description")], ["n", "Fine."]);
});
