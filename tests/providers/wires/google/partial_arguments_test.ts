import assert from "node:assert/strict";
import type { Json } from "../../../../src/core/json.ts";
import { partialArguments } from "../../../../src/providers/wires/google/partial_arguments.ts";

/** The arguments that pieces make; `[path, value]` stands for a whole text, number, truth or null. */
function made(...pieces: ([string, Json] | { [key: string]: Json })[]): string {
  const args = partialArguments();
  for (const piece of pieces) {
    const problem = args.add(Array.isArray(piece) ? pieceOf(...piece) : piece);
    if (problem !== undefined) return problem;
  }
  return args.text();
}

function pieceOf(jsonPath: string, value: Json): Json {
  if (typeof value === "string") return { jsonPath, stringValue: value };
  if (typeof value === "number") return { jsonPath, numberValue: value };
  return value === null ? { jsonPath, nullValue: "NULL_VALUE" } : { jsonPath, boolValue: value };
}

Deno.test("paths lead through objects and lists, with and without a root, dotted or in brackets", () => {
  assert.equal(
    made(
      ["$.a", 1],
      ["b", true],
      ["$['c d']", null],
      ['$["e\\"f"].g', "h"],
      ["$.i[0].j", 1],
      ["$.i[0].k[0]", 2],
      ["$.i.1.j", 3],
      ["$.l['m'][0]", "n"],
      ["$.$ref", "o"],
    ),
    '{"a":1,"b":true,"c d":null,"e\\"f":{"g":"h"},"i":[{"j":1,"k":[2]},{"j":3}],' +
      '"l":{"m":["n"]},"$ref":"o"}',
  );
});

Deno.test("text is joined at one path, all else is replaced", () => {
  assert.equal(made(["$.a", "b"], ["$.a", "c"]), '{"a":"bc"}');
  assert.equal(made(["$.a", 1], ["$.a", "c"]), '{"a":"c"}');
  assert.equal(made(["$.a", "b"], ["$.a", 1]), '{"a":1}');
  assert.equal(made(["$.a", null], ["$.a.b", 1]), '{"a":{"b":1}}');
});

Deno.test("a piece without a value ends what came before, or is something empty", () => {
  assert.equal(made(["$.a", "b"], { jsonPath: "$.a" }), '{"a":"b"}');
  assert.equal(made(["$.a[0]", "b"], { jsonPath: "$.a[]" }), '{"a":["b"]}');
  assert.equal(made({ jsonPath: "$.a[]" }, { jsonPath: "$.b" }), '{"a":[],"b":{}}');
  assert.equal(made({ jsonPath: "$.a", willContinue: true }, ["$.a", "b"]), '{"a":"b"}');
  assert.equal(made({ jsonPath: "$" }, { jsonPath: "" }), "{}");
});

Deno.test("numbers may come as text, and null stands for what a piece has not", () => {
  assert.equal(
    made({ jsonPath: "$.a", stringValue: null, numberValue: "1e3", boolValue: null }),
    '{"a":1000}',
  );
});

Deno.test("any name is a name of an argument, and none reaches another object", () => {
  assert.equal(
    made(["$.__proto__.a", 1], ["$.constructor", 2], ["$.toString[0]", 3]),
    '{"__proto__":{"a":1},"constructor":2,"toString":[3]}',
  );
  assert.equal(({} as { a?: number }).a, undefined);
});

Deno.test("a list has no gaps and no names, and a value nothing below it", () => {
  const unfit = /^holds arguments that do not fit together at /;
  assert.match(made(["$.a[1]", 1]), unfit);
  assert.match(made(["$.a[0]", 1], ["$.a[4000000000]", 1]), unfit);
  assert.match(made(["$.a[0]", 1], ["$.a.length", 0]), unfit);
  assert.match(made(["$.a", "b"], ["$.a.c", 1]), unfit);
  assert.equal(made(["$.a[0]", 1], ["$.a[01]", 2]), '{"a":[1,2]}');
});
