import assert from "node:assert/strict";
import { commandTable } from "../../../src/front/console/commands.ts";
import { helpLines } from "../../../src/front/console/help.ts";

Deno.test("the help fits the screen, however narrow, and loses no word", () => {
  const own = [{ name: "review", help: "look at what was changed, and say what is wrong with it" }];
  const words = (lines: string[]) => lines.join(" ").split(/\s+/).sort();
  const wide = helpLines(commandTable, own, 200);
  for (const columns of [120, 80, 50, 40, 30]) {
    const lines = helpLines(commandTable, own, columns);
    assert.deepEqual(lines.filter((line) => line.length > columns), [], `${columns} columns`);
    assert.deepEqual(words(lines), words(wide));
  }
});
