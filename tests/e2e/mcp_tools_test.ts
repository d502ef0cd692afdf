import assert from "node:assert/strict";
import { withMcp } from "../support/mcp.ts";

Deno.test("a server's tools are in the first request, and called by the model", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake("few,banner,noise,crlf,bom,text_ids,requests") });
    const { code, offered, outputs, diagnostics, stderr } = await run([
      ["mcp__one__echo", { text: "hello" }],
      ["mcp__one__echo", {}],
    ]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(offered[0], ["mcp__one__echo", "mcp__one__read"]);
    assert.equal(outputs[0], "hello");
    assert.match(outputs[1]!, /^invalid_arguments: text: required, but missing/);
    assert.deepEqual([diagnostics, stderr], [[], ""]);
  }));

Deno.test("a list in pages is whole; one that does not end stops, and says so", () =>
  withMcp(async ({ servers, fake, program }) => {
    await servers({
      pages: fake("pages"),
      loop: fake("loop"),
      endless: fake("endless", { tools: ["t9*"] }),
    });
    const { stdout, stderr } = await program(["--mode", "json", "--list-tools"]);
    const names = (JSON.parse(stdout).tools as { name: string }[]).map(({ name }) => name);
    const of = (server: string) => names.filter((name) => name.startsWith(`mcp__${server}__`));
    assert.equal(of("pages").length, 19);
    assert.deepEqual(of("loop"), ["mcp__loop__echo", "mcp__loop__read"]);
    assert.equal(of("endless").length, 11);
    assert.match(
      stderr,
      /mcp server loop: its list of tools does not end: the same page comes again\n/,
    );
    assert.match(
      stderr,
      /mcp server endless: its list of tools does not end: the first 100 count\n/,
    );
  }));

Deno.test("one wrong tool costs that tool alone, and says what is wrong with it", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ bad: fake("few,bad_tools") });
    const { offered, diagnostics } = await run([]);
    assert.deepEqual(
      offered[0],
      ["echo", "hints", "no_type", "read"].map((name) => `mcp__bad__${name}`),
    );
    const reasons = [
      /tool "schema_is_text": inputSchema.type: expected "object"/,
      /tool "no_schema": inputSchema: expected an object; skipped/,
      /tool "required_inside": inputSchema\.properties\.required: expected a schema/,
      /tool "echo": another tool has the same name; skipped/,
      /tool "outside": inputSchema: .*x\.example/,
      /tool 9: expected an object with a name; skipped/,
    ];
    for (const reason of reasons) {
      assert.ok(
        diagnostics.some((line) => reason.test(line)),
        `${reason}\n${diagnostics.join("\n")}`,
      );
    }
    assert.ok(diagnostics.every((line) => line.startsWith("mcp server bad: ")));
  }));

Deno.test("names that models cannot be given get a mark, the same in every order", () =>
  withMcp(async ({ servers, fake, run, call }) => {
    await servers({ odd: fake("odd_names") });
    const first = await run([]);
    await servers({ odd: fake("odd_names,reversed") });
    const second = await run([]);
    assert.deepEqual(first.offered[0], second.offered[0]);
    const [AB, dot, slash, ab, long] = first.offered[0]!;
    assert.equal(AB, "mcp__odd__A_B");
    for (const name of [dot, slash, ab]) assert.match(name!, /^mcp__odd__a_b_[0-9a-f]{8}$/);
    assert.match(long!, /^mcp__odd__x{45}_[0-9a-f]{8}$/);
    assert.equal(new Set(first.offered[0]!.map((name) => name.toLowerCase())).size, 5);
    assert.equal((await call(slash!)).output, "a/b was called");
    assert.equal((await call(long!)).output, `${"x".repeat(90)} was called`);
  }));

Deno.test("of two servers with the same tool the right one is called; both stand after all others", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({
      b: fake("few", { env: { WHO: "b" } }),
      a: fake("", { env: { WHO: "a" }, tools: ["e*", "read"], exclude_tools: ["empty"] }),
    });
    const { offered, outputs, requests } = await run([["mcp__a__env"]]);
    assert.deepEqual(
      offered[0],
      ["a__echo", "a__env", "a__read", "b__echo", "b__read"].map((name) => `mcp__${name}`),
    );
    assert.equal(JSON.parse(outputs[0]!).WHO, "a");
    const names = requests[0]!.tools!.map((tool) => tool.function.name);
    assert.ok(names.slice(-5).every((name) => name.startsWith("mcp__")));
  }));

Deno.test("a schema with a choice at its root is sent as an object, and checked in full", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ odd: fake("odd_schema") });
    const { requests, outputs } = await run([
      ["mcp__odd__odd", { names: ["x"] }],
      ["mcp__odd__odd", { other: 1 }],
    ]);
    const { parameters } = requests[0]!.tools!.at(-1)!.function;
    assert.equal(parameters.type, "object");
    assert.equal(parameters.anyOf, undefined);
    assert.equal(parameters.$schema, undefined);
    assert.deepEqual(Object.keys(parameters.properties as object), ["id", "names"]);
    assert.notEqual(
      (parameters.properties as { names: { items?: unknown } }).names.items,
      undefined,
    );
    assert.equal(outputs[0], "odd was called");
    assert.match(outputs[1]!, /^invalid_arguments: /);
  }));

Deno.test("what hides in definitions is gone from the request, and shown nowhere as it is", () =>
  withMcp(async ({ servers, fake, run, program }) => {
    await servers({ evil: fake("hidden_text", { instructions: true }) });
    const { requests, outputs } = await run([["mcp__evil__link"], ["mcp__evil__wrong"]]);
    const sent = JSON.stringify(requests[0]);
    // deno-lint-ignore no-control-regex -- the escape character is looked for
    assert.doesNotMatch(sent, /[\u{e0000}-\u{e007f}\u202e\u200b]|\\u001b|\x1b/u);
    assert.match(sent, /fine\[31m text/);
    assert.match(sent, /Instructions of the MCP server evil:\\nUse echo\./);
    assert.doesNotMatch(outputs.join(), /[\u{e0000}-\u{e007f}]/u);
    assert.match(outputs[1]!, /^tool_failed: evil: no.* such thing \(code -32602\)\.$/);
    const shown = await program(["--list-tools"]);
    // deno-lint-ignore no-control-regex -- the escape character is looked for
    assert.doesNotMatch(shown.stdout + shown.stderr, /[\u{e0000}-\u{e007f}\u202e\u200b\x1b]/u);
  }));

Deno.test("more tools than a request takes are left out, and one warning says how to choose", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ many: fake("many") });
    const { requests, diagnostics } = await run([["mcp__many__t000"]]);
    for (const { tools } of requests) assert.equal(tools!.length, 128);
    assert.equal(diagnostics.length, 1);
    assert.match(
      diagnostics[0]!,
      /^mcp: 31 of 150 tools are left out, .*mcp\.servers\.<name>\.tools/,
    );
  }));

Deno.test("a tool that comes in a call is in the next request, though the server does not announce such news", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake() });
    const { offered, outputs } = await run([["mcp__one__grow"], ["mcp__one__late"]]);
    assert.ok(!offered[0]!.includes("mcp__one__late"));
    assert.ok(offered[1]!.includes("mcp__one__late"));
    assert.deepEqual(outputs, ["grown", "late was called"]);
  }));

Deno.test("--tools takes single tools and whole servers, and others are not started", () =>
  withMcp(async ({ servers, fake, run, notes, program }) => {
    await servers({ a: fake("few"), b: fake("few") });
    const first = await run([], ["--tools", "read,mcp__a__echo"]);
    assert.deepEqual(first.offered[0], ["mcp__a__echo"]);
    assert.equal(notes().filter((note) => note.startsWith("started")).length, 1);
    const second = await run([], ["--tools", "mcp__b"]);
    assert.deepEqual(second.offered[0], ["mcp__b__echo", "mcp__b__read"]);
    assert.equal(second.requests[0]!.tools!.length, 2);
    const unknown = await run([], ["--tools", "mcp__b__ecko"]);
    assert.equal(unknown.code, 2);
    const other = await program(["--tools", "mcp__c__x", "-p", "x"]);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /--tools: there is no tool named "mcp__c__x"/);
  }));
