/** A seeded run of random calls of the file tools: always one well-formed answer, never outside. */
import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { isTempName } from "../../src/core/temp_name.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { editTool } from "../../src/tools/edit.ts";
import { readTool } from "../../src/tools/read.ts";
import { writeTool } from "../../src/tools/write.ts";
import { fuzzCases, fuzzSeed } from "../support/fuzz.ts";
import { latin1, onBench, pathsBelow, png } from "./file_fixture.ts";

const calls = fuzzCases(1500);

Deno.test("random calls of the file tools are each answered, and nothing leaves the workspace", () =>
  onBench(async (bench) => {
    const { workspace, outside } = bench;
    let seed = 41 + fuzzSeed();
    const next = (below: number) => {
      seed = (seed * 48271) % (2 ** 31 - 1);
      return seed % below;
    };
    const pick = <T>(items: readonly T[]): T => items[next(items.length)]!;

    Deno.writeTextFileSync(`${outside}/secret`, "secret\n");
    bench.put("a/b/f", "one\r\ntwo\r\n");
    bench.put("g", "x\ny\nx\n");
    bench.put("latin", latin1("caf\xe9\n"));
    bench.put("p.png", png(2, 2));
    bench.put("empty", "");
    Deno.symlinkSync("a/b", `${workspace}/in`);
    Deno.symlinkSync(outside, `${workspace}/out`);
    Deno.symlinkSync(`${outside}/secret`, `${workspace}/file-out`);
    Deno.symlinkSync(`${outside}/new/f`, `${workspace}/lost-out`);
    Deno.symlinkSync("..", `${workspace}/a/up`);
    Deno.symlinkSync("../..", `${workspace}/a/up-up`);
    Deno.symlinkSync("loop", `${workspace}/loop`);

    const parts = [
      ...["a", "b", "f", "g", "in", "out", "file-out", "lost-out", "up", "up-up", "loop", "latin"],
      ...["..", ".", "", "p.png", "empty", "secret", "new", "~", "$HOME", "é", "\n", "-x", " "],
      ...["x".repeat(300), "\0", "\ud800", "...", "C:\\x"],
    ];
    const texts = [
      "",
      "x",
      "y\n",
      "one\ntwo",
      "one\r\ntwo",
      "\r",
      "é",
      "\ud83d",
      "$&",
      "\0",
      "\n\n",
    ];
    const scraps: Json[] = [null, true, "true", "1", 0, 3, -1, 1e21, 1.5, "[]", "{}", [], {}, [
      "x",
    ]];
    const path = () => Array.from({ length: 1 + next(4) }, () => pick(parts)).join("/");
    const inputs: [AnyTool, () => JsonObject][] = [
      [readTool, () => ({ path: path(), start_line: next(5), end_line: next(6) })],
      [readTool, () => ({ path: path() })],
      [editTool, () => ({ path: path(), old_text: pick(texts), new_text: pick(texts) })],
      [editTool, () => ({
        path: path(),
        replacements: [{ old_text: pick(texts), new_text: pick(texts) }, pick(scraps)].slice(
          next(2),
        ),
      })],
      [writeTool, () => ({ path: path(), content: pick(texts), overwrite: next(2) === 0 })],
    ];

    let done = 0;
    for (let call = 0; call < calls; call++) {
      const [tool, make] = pick(inputs);
      const input = make();
      if (next(4) === 0) input[pick([...Object.keys(input), "expected_version"])] = pick(scraps);
      const result = await bench.call(tool, input);
      const shown = `${tool.name} ${JSON.stringify(input)}: ${result.text}`;
      assert.ok(result.text.length > 0 && result.text.isWellFormed(), shown);
      assert.ok(!result.text.includes(workspace) && !result.text.includes("os error"), shown);
      if (result.isError) assert.equal(result.images, undefined);
      else done++;
    }
    assert.ok(done > calls / 50, `only ${done} of ${calls} calls did anything`);
    assert.deepEqual(pathsBelow(outside), ["secret"]);
    assert.equal(Deno.readTextFileSync(`${outside}/secret`), "secret\n");
    assert.deepEqual(pathsBelow(workspace.replace(/\/w$/, "")).filter(isTempName), []);
    assert.equal(pathsBelow(workspace).some((name) => /(^|\/)(~|\$HOME)(\/|$)/.test(name)), false);
  }));
