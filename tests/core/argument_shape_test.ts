/** The tests of argument shapes: they say what the schema library would say. */
import assert from "node:assert/strict";
import {
  argumentShape,
  choice,
  flag,
  integer,
  list,
  number,
  objectOf,
  optional,
  someText,
  text,
} from "../../src/core/argument_shape.ts";
import { shapeOf } from "../support/zod_shape.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { z } from "../../src/core/schema.ts";

const ours = argumentShape({
  path: text("A path."),
  word: optional(someText("A word.")),
  line: optional(integer("A line.", { min: 1, max: 200 })),
  any: optional(integer("A number.")),
  share: optional(number("A share.")),
  force: optional(flag("Force.")),
  mode: optional(choice("A mode.", ["act", "plan"])),
  names: list("Names.", text("A name.")),
  parts: optional(list("Parts.", objectOf({ old: text("Old."), count: integer("Count.") }), {
    minItems: 1,
  })),
});

const theirs = shapeOf(z.strictObject({
  path: z.string().describe("A path."),
  word: z.string().min(1).optional().describe("A word."),
  line: z.int().min(1).max(200).optional().describe("A line."),
  any: z.int().optional().describe("A number."),
  share: z.number().optional().describe("A share."),
  force: z.boolean().optional().describe("Force."),
  mode: z.enum(["act", "plan"]).optional().describe("A mode."),
  names: z.array(z.string().describe("A name.")).describe("Names."),
  parts: z.array(z.strictObject({
    old: z.string().describe("Old."),
    count: z.int().describe("Count."),
  })).min(1).optional().describe("Parts."),
}));

Deno.test("a shape has the JSON Schema that the schema library makes", () => {
  assert.deepEqual(ours.jsonSchema, theirs.jsonSchema);
});

/**
 * The library says number of what is no number at all, integer only of a fraction; and of an empty
 * list where a text is wanted it says that it is too short, too.
 */
function wordsOf(
  parsed: Awaited<ReturnType<typeof ours.parse> | ReturnType<typeof theirs.parse>>,
): string[] {
  if ("input" in parsed) return [];
  return parsed.problems.filter((problem) => problem !== "word: expected at least 1")
    // It also measures what is no array at all.
    .filter((problem) => problem !== "parts: expected a non-empty string")
    .map((problem) =>
      problem.replace(/^(line|any|.*count): expected number$/, "$1: expected integer")
    )
    .sort();
}

Deno.test("a shape takes and refuses what the schema library does, in the same words", async () => {
  let seed = 20;
  const next = (below: number) => {
    seed = (seed * 48271) % (2 ** 31 - 1);
    return seed % below;
  };
  const scraps: Json[] = [
    ...["", "act", "plan", "x", 0, 1, -1, 200, 201, 1.5, true, false, null],
    ...[[], ["a"], ["a", 1, null], [{ old: "a", count: 1 }], [{ old: 1, more: 2 }, "x"], {}],
  ];
  const keys = [
    "path",
    "word",
    "line",
    "any",
    "share",
    "force",
    "mode",
    "names",
    "parts",
    "else",
    "__proto__",
  ];
  let taken = 0;
  for (let round = 0; round < 5000; round++) {
    const input = JSON.parse("{}") as JsonObject;
    if (round % 2 === 0) Object.assign(input, { path: "p", names: [] });
    for (let key = next(4); key >= 0; key--) {
      const value = scraps[next(scraps.length)]!;
      Object.defineProperty(input, keys[next(keys.length)]!, {
        value,
        enumerable: true,
        configurable: true,
      });
    }
    const mine = await ours.parse(input), other = await theirs.parse(input);
    if ("input" in mine) taken++;
    assert.deepEqual(wordsOf(mine), wordsOf(other), JSON.stringify(input));
  }
  assert.ok(taken > 100, `${taken} taken`);
  for (const input of [null, 1, "x", [], true] as Json[]) {
    assert.deepEqual(await ours.parse(input), await theirs.parse(input));
  }
});

Deno.test("a further problem is told where the arguments are right one by one", async () => {
  const shape = argumentShape(
    { a: optional(text("A.")), b: optional(text("B.")) },
    ({ a, b }) => a === undefined && b === undefined ? "expected a or b" : undefined,
  );
  assert.deepEqual(await shape.parse({}), { problems: ["arguments: expected a or b"] });
  assert.deepEqual(await shape.parse({ a: 1 }), { problems: ["a: expected string"] });
  assert.deepEqual(await shape.parse({ a: "x" }), { input: { a: "x" } });
});
