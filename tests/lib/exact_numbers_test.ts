import assert from "node:assert/strict";
import { isExactNumber, parseExactly } from "../../src/lib/exact_numbers.ts";

Deno.test("numbers that would be rounded are kept, wherever they stand", () => {
  for (
    const number of [
      "9007199254740993",
      "-12345678901234567890",
      "1.23456789012345678e19",
      "1e999",
      "-1E+400",
    ]
  ) {
    for (
      const text of [
        number,
        `[${number}]`,
        `[1,${number}]`,
        `{"a":${number}}`,
        `{"a": ${number}}`,
        ` \n${number}`,
      ]
    ) {
      const value = parseExactly(text);
      assert.equal(JSON.stringify(value), text.replace(/\s/g, ""), text);
      const found = typeof value === "object" && !isExactNumber(value)
        ? Object.values(value!).at(-1)
        : value;
      assert.ok(isExactNumber(found), text);
    }
  }
});

Deno.test("other numbers, and digits in texts, are ordinary values", () => {
  for (
    const text of [
      "1700000000",
      "9007199254740991",
      "1e5",
      "0.1",
      '{"id":"12345678901234567890"}',
      '"a 12345678901234567"',
    ]
  ) {
    assert.deepEqual(parseExactly(text), JSON.parse(text), text);
  }
});
