import assert from "node:assert/strict";
import { globTool } from "../../../src/tools/glob.ts";
import { createGrepTool } from "../../../src/tools/grep.ts";
import { callTool, toolContext, withWorkspace } from "../../support/tool_context.ts";
import { writeTree } from "../tree.ts";
import { staysOpen } from "../../support/stays_open.ts";

/** Enough files for workers to be worth their while. */
const manyFiles = Object.fromEntries(
  Array.from({ length: 3000 }, (_, index) => [
    `d${index % 40}/f${String(index).padStart(4, "0")}.txt`,
    index % 100 === 0 ? `one\nmark ${index} ${index}\n` : "one\ntwo two\n",
  ]),
);

/** All matching lines of both kinds of work: on this thread as well, and on workers alone. */
for (const pattern of ["mark \\d+", "mark (\\d+) \\1", "m\\x61rk(?> )\\d"]) {
  Deno.test(
    `a search over many files gives every match in order: ${pattern}`,
    staysOpen,
    async () => {
      await withWorkspace(async (workspace) => {
        await writeTree(workspace, manyFiles);
        const grep = createGrepTool();
        const { text } = await callTool(grep, { pattern }, toolContext(workspace));
        const expected = Object.entries(manyFiles)
          .filter(([, content]) => content.includes("mark"))
          .map(([path, content]) => `${path}:2:${content.split("\n")[1]}`)
          .toSorted();
        assert.deepEqual(text.split("\n"), expected);
      });
    },
  );
}

Deno.test("several searches at once do not mix", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, manyFiles);
    const grep = createGrepTool(), context = toolContext(workspace);
    const numbers = ["100", "200", "300", "1200"];
    const results = await Promise.all(
      numbers.map((number) => callTool(grep, { pattern: `mark (${number}) \\1$` }, context)),
    );
    results.forEach(({ text }, index) => {
      assert.match(
        text,
        new RegExp(`^d\\d+/f\\d+\\.txt:2:mark ${numbers[index]} ${numbers[index]}$`),
      );
    });
  });
});

Deno.test("a search that is aborted takes nothing from another one", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { ...manyFiles, "evil.txt": `${"a".repeat(500)}\n`.repeat(2000) });
    const grep = createGrepTool();
    const controller = new AbortController();
    const aborted = callTool(
      grep,
      { pattern: "(\\w*)\\w*[^\\w\\s]\\1", path: "evil.txt" },
      toolContext(workspace, { signal: controller.signal }),
    ).catch((error) => error);
    const other = callTool(grep, { pattern: "mark (\\d+) \\1" }, toolContext(workspace));
    setTimeout(() => controller.abort(new Error("stop")), 300);
    assert.equal((await aborted as Error).message, "stop");
    assert.equal((await other).text.split("\n").length, 30);
  });
});

Deno.test("an aborted search ends at once, and the next one works", async () => {
  await withWorkspace(async (workspace) => {
    // V8 and PCRE2 both need far longer than the test on these lines.
    await writeTree(workspace, {
      ...manyFiles,
      "evil.txt": `${"a".repeat(500)}\n`.repeat(2000),
    });
    const grep = createGrepTool();
    for (
      const pattern of [
        "a*(a)*[bc]?x?\\1[^\\w\\s]",
        "(\\w*)\\w*[^\\w\\s]\\1",
        "(?>x?)(a|aa)+[^\\w\\s]",
      ]
    ) {
      const controller = new AbortController();
      const call = callTool(
        grep,
        { pattern },
        toolContext(workspace, { signal: controller.signal }),
      );
      const settled = call.then(() => "done", (error) => error);
      setTimeout(() => controller.abort(new Error("stop")), 200);
      const startMs = performance.now();
      const outcome = await settled;
      assert.ok(performance.now() - startMs < 2000);
      assert.ok(outcome === "done" || (outcome as Error).message === "stop", String(outcome));
    }
    const { text } = await callTool(grep, { pattern: "mark 100" }, toolContext(workspace));
    assert.match(text, /mark 100 100/);
  });
});

Deno.test("a file that takes too long is given up and named, and the rest is searched", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, {
      "a.txt": "x x\n",
      "evil.txt": `${"a".repeat(510)}\n`.repeat(2000),
      "z.txt": "y y\n",
    });
    const grep = createGrepTool();
    const { text } = await callTool(
      grep,
      { pattern: "(\\w*)\\w*[^\\w\\s]\\1|(\\w) \\2" },
      toolContext(workspace),
    );
    assert.match(text, /^a\.txt:1:x x$/m);
    assert.match(text, /^z\.txt:1:y y$/m);
    assert.match(text, /^\[time limit reached in evil\.txt; matches there may be missing\]$/m);
  });
});

Deno.test("a flood of matches is bounded, and what was not counted is said", async () => {
  await withWorkspace(async (workspace) => {
    const files = Object.fromEntries(
      Array.from(
        { length: 500 },
        (_, index) => [`f${String(index).padStart(3, "0")}`, "hit\n".repeat(600)],
      ),
    );
    await writeTree(workspace, { ...files, "huge.txt": "hit".repeat(14_000_000) });
    const { text } = await callTool(createGrepTool(), { pattern: "hit" }, toolContext(workspace));
    const lines = text.split("\n");
    assert.equal(lines.length, 82);
    assert.equal(lines[0], "f000:1:hit");
    assert.equal(lines[80], "[299920 more matches omitted]");
    assert.equal(lines[81], "[left out: skipped as larger than 1 MiB: huge.txt]");
  });
});

Deno.test("an abort is heard at any time: on this thread, on workers, in a walk", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { ...manyFiles, "evil.txt": `${"a".repeat(500)}\n`.repeat(2000) });
    const grep = createGrepTool();
    const calls = [
      (signal: AbortSignal) =>
        callTool(grep, { pattern: "qq" }, toolContext(workspace, { signal })),
      (signal: AbortSignal) =>
        callTool(grep, { pattern: "\\Xqq" }, toolContext(workspace, { signal })),
      (signal: AbortSignal) =>
        callTool(
          grep,
          { pattern: "(\\w*)\\w*[^\\w\\s]\\1", path: "evil.txt" },
          toolContext(workspace, { signal }),
        ),
      (signal: AbortSignal) =>
        callTool(globTool, { pattern: "**/*.none" }, toolContext(workspace, { signal })),
    ];
    let aborted = 0;
    for (const call of calls) {
      for (const waitMs of [0, 2, 10, 40]) {
        const controller = new AbortController();
        let abortedMs = 0;
        setTimeout(() => {
          abortedMs = performance.now();
          controller.abort(new Error("stop"));
        }, waitMs);
        const outcome = await call(controller.signal).then(() => "done", (error: Error) => error);
        if (outcome === "done") continue;
        aborted++;
        assert.equal((outcome as Error).message, "stop");
        // About 20 ms on a quiet machine.
        assert.ok(performance.now() - abortedMs < 1000);
      }
    }
    assert.ok(aborted >= 4, `only ${aborted} of the calls were aborted`);
  });
});

Deno.test("a small search does not wait for the clock", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { "a.txt": "one\n", "b/c.txt": "two\n" });
    const grep = createGrepTool(), context = toolContext(workspace);
    const startMs = performance.now();
    for (let round = 0; round < 100; round++) {
      assert.equal((await callTool(grep, { pattern: "two" }, context)).text, "b/c.txt:1:two");
    }
    // Well under a second; ten seconds where each waits for a tenth of one.
    assert.ok(performance.now() - startMs < 5000);
  });
});
