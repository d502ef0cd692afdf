import assert from "node:assert/strict";
import { isStateAlone, readLine } from "../../src/extensions/read_line.ts";
import { stateLines } from "../../src/extensions/state_lines.ts";

/** The lines that are read of those that come together. */
function taken(lines: string[]): string[] {
  const all: string[] = [];
  const states = stateLines((line) => {
    all.push("bytes" in line ? new TextDecoder().decode(line.bytes) : "too long");
    const read = readLine(line);
    return read.kind === "object" && isStateAlone(read.value);
  });
  for (const line of lines) states.push({ bytes: new TextEncoder().encode(line), ended: true });
  states.flush();
  return all;
}

const state = (text: string, key = "k") =>
  `{"type":"update","status":${JSON.stringify({ key, text })}}`;

Deno.test("of states in a row the first and the last are read", () => {
  const lines = Array.from({ length: 100 }, (_, n) => state(`step ${n}`));
  assert.deepEqual(taken(lines), [lines[0], lines[99]]);
  assert.deepEqual(taken([...lines, '{"type":"update"}', ...lines]), [
    lines[0],
    lines[99],
    '{"type":"update"}',
    lines[0],
    lines[99],
  ]);
});

for (
  const { how, lines } of [
    { how: "another key", lines: [state("1", "a"), state("1", "b"), state("1", "a")] },
    {
      how: "the key behind the text",
      lines: ["a", "b", "c"].map((key) => `{"type":"update","status":{"text":"1","key":"${key}"}}`),
    },
    {
      how: "something more behind the state",
      lines: ["1", '2"},"entry":{"a":"b', '3","more":"x'].map((text) =>
        `{"type":"update","status":{"key":"k","text":"${text}"}}`
      ),
    },
    { how: "a quote in the text", lines: [state("1"), state('a "b"'), state("2")] },
    { how: "another end", lines: [state("1"), `${state("2")} `, `${state("3")}x`] },
    {
      how: "no state",
      lines: [1, 2, 3].map((n) => `{"type":"response","id":"n1","context":{"text":"${n}"}}`),
    },
  ]
) {
  Deno.test(`each line is read where there is ${how}`, () => {
    assert.deepEqual(taken(lines), lines);
  });
}
