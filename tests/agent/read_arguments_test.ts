/** The tests of reading argument text that is nearly JSON. */
import assert from "node:assert/strict";
import { readArguments } from "../../src/agent/read_arguments.ts";

const notesOf = (text: string) => {
  const read = readArguments(text);
  return "notes" in read ? read.notes : ["invalid"];
};
const inputOf = (text: string) => {
  const read = readArguments(text);
  return "input" in read ? read.input : undefined;
};

Deno.test("JSON is read as it is, and nothing is noted", () => {
  assert.deepEqual(readArguments('{"a":[1,"x,]\\n"]}'), { input: { a: [1, "x,]\n"] }, notes: [] });
  for (const none of ["", " \n", "null"]) {
    assert.deepEqual(readArguments(none), { input: {}, notes: [] });
  }
});

Deno.test("line ends, tabs and other controls that stand raw in strings are kept", () => {
  assert.deepEqual(inputOf('{"command":"echo a\necho \\"b\\"\r\n\tx"}'), {
    command: 'echo a\necho "b"\r\n\tx',
  });
  assert.deepEqual(inputOf('{"a":"\u0001\\\\"}'), { a: "\u0001\\" });
  assert.match(notesOf('{"a":"x\ny"}')[0]!, /raw in strings/);
  assert.deepEqual(notesOf('{\n\t"a": 1\r\n}'), []);
});

Deno.test("a comma before a closing bracket is ignored, one in a string is not", () => {
  assert.deepEqual(inputOf('{"a":[1,2, ],"b":"x,}",\n}'), { a: [1, 2], b: "x,}" });
  assert.match(notesOf('{"a":1,}')[0]!, /comma/);
  for (const wrong of ["{,}", "{ , }", '{"a":1,,}', '{"a":,}', "[,]"]) {
    assert.equal(inputOf(wrong), undefined);
  }
});

Deno.test("a fence around the JSON is taken off", () => {
  for (
    const text of [
      '```json\n{"a":1}\n```',
      '```\n{"a":1}\n```\n',
      ' ```json {"a":1} ```',
      '~~~\n{"a":1}\n~~~',
      '```json\n{"a":1}',
    ]
  ) {
    assert.deepEqual(inputOf(text), { a: 1 }, text);
    assert.match(notesOf(text)[0]!, /fence/);
  }
  assert.deepEqual(inputOf('```json\n{"a":"x\ny",}\n```'), { a: "x\ny" });
  assert.equal(notesOf('```json\n{"a":"x\ny",}\n```').length, 3);
  assert.equal(inputOf('Here it is:\n```json\n{"a":1}\n```'), undefined);
});

Deno.test("text that was cut off is never completed", () => {
  const whole = '```json\n{"a":"x\ny","b":[1,{"c":2,},],}\n```';
  const end = whole.lastIndexOf("}");
  for (let length = 1; length <= end; length++) {
    const text = whole.slice(0, length);
    assert.equal(inputOf(text), text.trim() === "" ? {} : undefined, text);
  }
});

Deno.test("integers that a number would round are kept to the digit", () => {
  const text = '{"id":1184729384756283947,"list":[-9007199254740993,1e400],"small":12,"part":0.5}';
  assert.equal(JSON.stringify(inputOf(text)), text);
  const exact = '{"id":9007199254740991}';
  assert.deepEqual(inputOf(exact), { id: 9007199254740991 });
});

Deno.test("what nests too deeply is not read", () => {
  assert.equal(inputOf("[".repeat(200) + "]".repeat(200)), undefined);
  assert.equal(inputOf("[".repeat(200) + "1," + "]".repeat(200)), undefined);
});

Deno.test("half a character becomes the replacement character", () => {
  assert.deepEqual(inputOf('{"a":"\ud83d"}'), { a: "\ufffd" });
});
