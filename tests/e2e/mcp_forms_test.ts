/** Servers that write in odd forms, too much, or at the wrong time. */
import assert from "node:assert/strict";
import { withMcp } from "../support/mcp.ts";

Deno.test("what is absent may be written as null, letters be cut in two, an error name no request", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({
      nulls: fake("few,nulls"),
      split: fake("few,split,crlf"),
      unnamed: fake("no_error_ids"),
      unwilling: fake("refuse,no_error_ids"),
    });
    const text = "hé\u{1f600}日本";
    const { outputs, diagnostics } = await run([
      ["mcp__nulls__echo", { text: "null" }],
      ["mcp__split__echo", { text }],
      ["mcp__unnamed__wrong"],
    ]);
    assert.deepEqual(outputs.slice(0, 2), ["null", text]);
    assert.match(outputs[2]!, /^tool_failed: unnamed: .* \(code -32602\)\.$/);
    assert.deepEqual(diagnostics, [
      "mcp server unwilling: it refuses to start: the database is not reachable (-32603).",
    ]);
  }));

Deno.test("a server that refuses the revision and names an older one gets that; one that names the newest, that", () =>
  withMcp(async ({ servers, fake, run, program }) => {
    await servers({
      older: fake("few,knows_older,plain_tools"),
      newest: fake("few,newest"),
    });
    const { offered, outputs, diagnostics } = await run([
      ["mcp__older__echo", { text: "older" }],
      ["mcp__newest__echo", { text: "newest" }],
    ]);
    assert.deepEqual(diagnostics, []);
    assert.equal(offered[0]!.length, 4);
    assert.deepEqual(outputs, ["older", "newest"]);
    const lists = await program(["--doctor"]);
    assert.equal(lists.stderr, "");
  }));

Deno.test("an answer too large is its call's, wherever its id stands; a notification too large is nobody's", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake("", { call_timeout_seconds: 20 }) });
    const { outputs } = await run([
      ["mcp__one__id_last"],
      ["mcp__one__big_news"],
      ["mcp__one__deep_result"],
      ["mcp__one__echo", { text: "alive" }],
    ]);
    assert.match(outputs[0]!, /^tool_failed: one answered with more than 16777216 bytes/);
    assert.deepEqual(outputs.slice(1), [
      "after the news",
      "[more than 500 levels of JSON: left out]",
      "alive",
    ]);
  }));

Deno.test("a server that writes without end does not keep the others from working", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({
      line: fake("hang,endless_line", { startup_timeout_seconds: 2 }),
      lines: fake("hang,flood", { startup_timeout_seconds: 2 }),
      busy: fake("few,flood"),
      one: fake("few"),
    });
    const { outputs, diagnostics, code } = await run([
      ["mcp__one__echo", { text: "here" }],
      ["mcp__busy__echo", { text: "there" }],
    ]);
    assert.deepEqual([code, outputs], [0, ["here", "there"]]);
    // in the order in which their time was up
    assert.deepEqual(
      diagnostics.map((line) => line.slice(0, 40)).sort(),
      ["line", "lines"].map((name) =>
        `mcp server ${name}: no answer within 2 s; mcp.servers`.slice(0, 40)
      ).sort(),
    );
  }));

Deno.test("a giant list is cut and says so; schemas that are too deep or too long cost their tool alone", () =>
  withMcp(async ({ servers, fake, run, program }) => {
    await servers({ giant: fake("giant", { tools: ["t1", "t2"] }), deep: fake("few,deep") });
    const start = performance.now();
    const { offered, diagnostics, outputs } = await run([
      ["mcp__deep__slow_pattern", { a: `${"a".repeat(50_000)}!` }],
      ["mcp__deep__own_reference", { a: { b: { b: {} } } }],
    ]);
    assert.ok(performance.now() - start < 60_000);
    assert.deepEqual(
      offered[0],
      ["deep__echo", "deep__own_reference", "deep__read", "deep__slow_pattern"].concat(
        ["giant__t1", "giant__t2"],
      ).map((name) => `mcp__${name}`),
    );
    assert.match(outputs[0]!, /^invalid_arguments: /);
    assert.equal(outputs[1], "own_reference was called");
    for (
      const line of [
        /^mcp server giant: its list of tools is too long: the first \d+ count$/,
        /^mcp server deep: tool "deep": inputSchema: it has more than 100 levels; skipped$/,
        /^mcp server deep: tool "long": inputSchema: it has more than 65536 bytes; skipped$/,
      ]
    ) {
      assert.equal(
        diagnostics.filter((one) => line.test(one)).length,
        1,
        `${line}\n${diagnostics.join("\n").slice(0, 3000)}`,
      );
    }
    assert.equal(diagnostics.length, 3);
    assert.equal((await program(["--list-tools"])).code, 0);
  }));

Deno.test("a storm of news about the list costs one more list", () =>
  withMcp(async ({ servers, fake, run, notes }) => {
    await servers({ one: fake("", { tools: ["storm", "storm499"] }) });
    const { offered, outputs } = await run([["mcp__one__storm"], ["mcp__one__storm499"]]);
    assert.deepEqual(offered[0], ["mcp__one__storm"]);
    assert.deepEqual(offered[1], ["mcp__one__storm", "mcp__one__storm499"]);
    assert.deepEqual(outputs, ["storm is over", "storm499 was called"]);
    assert.ok(notes().filter((note) => note === "tools/list").length <= 3);
  }));

Deno.test("servers that do not answer are waited for beside one another, and delay nobody else's list", () =>
  withMcp(async ({ servers, fake, run }) => {
    const hangs = fake("hang", { startup_timeout_seconds: 3 });
    await servers({ a: hangs, b: hangs, c: hangs, d: hangs, one: fake("few") });
    const start = performance.now();
    const { diagnostics, offered } = await run([]);
    const seconds = (performance.now() - start) / 1000;
    assert.equal(diagnostics.length, 4);
    assert.equal(offered[0]!.length, 2);
    // one after the other they would take twelve
    assert.ok(seconds < 10, String(seconds));
  }));
