import assert from "node:assert/strict";
import { withMcp } from "../support/mcp.ts";
import { peakMiB } from "../support/peak_memory.ts";
import { only } from "../support/records.ts";
import { linux, posix, testWhere } from "../support/test_where.ts";
import { until } from "../support/until.ts";

Deno.test("text, pictures, resources and what is left out are told apart; no base64 is text", () =>
  withMcp(async ({ servers, fake, call, run }) => {
    await servers({ one: fake(), typed: fake("typed") });
    const mixed = await call("mcp__one__mixed");
    assert.deepEqual(mixed.output.split("\n\n"), [
      "first",
      "[image, image/png, 10 bytes: left out]",
      "[audio, audio/wav, 3 bytes: left out]",
      "[resource file:///x/y.txt (y): why]",
      "[resource mem://1]\ninside",
      "[resource mem://2, application/pdf, 4 bytes: left out]",
      '[content of the unknown kind "hologram": left out]',
    ]);
    assert.deepEqual(mixed.images, ["image/png"]);
    assert.equal((await call("mcp__typed__typed")).output, "kept?");
    assert.equal((await call("mcp__one__empty")).output, "(no output)");
    const { outputs, records } = await run([["mcp__one__broken"], ["mcp__one__wrong"]]);
    assert.equal(outputs[0], "it did not work");
    assert.match(outputs[1]!, /^tool_failed: one: .* \(code -32602\)\.$/);
    assert.ok(only(records, "tool_result").every(({ is_error }) => is_error));
  }));

Deno.test("long text is cut in the middle as the output of bash; 50 MB fail that call alone", () =>
  withMcp(async ({ servers, fake, run, notes }) => {
    await servers({ one: fake() });
    const { outputs } = await run([
      ["mcp__one__huge", { bytes: 300_000 }],
      ["mcp__one__huge"],
      ["mcp__one__echo", { text: "alive" }],
    ]);
    assert.match(outputs[0]!, /^x{50000}\n\[\.\.\. 200000 bytes omitted \.\.\.\]\nx{50000}$/);
    assert.match(
      outputs[1]!,
      /^tool_failed: one answered with more than 16777216 bytes \(500000\d\d\)\.$/,
    );
    assert.equal(outputs[2], "alive");
    assert.equal(notes().filter((note) => note.startsWith("started")).length, 1);
  }));

testWhere(
  linux,
  "an answer of 50 MB takes no more memory than the largest that is read",
  () =>
    withMcp(async ({ servers, fake, start }) => {
      await servers({ one: fake() });
      const program = await start([
        ["mcp__one__echo", { text: "before" }],
        ["mcp__one__huge"],
        ["mcp__one__slow", { every: 100, parts: 20 }],
      ]);
      const isResult = (line: string) => line.includes('"tool_result"');
      await program.waitFor(isResult);
      const before = peakMiB(program.pid);
      await program.waitFor(isResult);
      const added = peakMiB(program.pid) - before;
      assert.equal((await program.ended).code, 0);
      assert.ok(added <= 60, `${added} MiB`);
    }),
);

Deno.test("a second answer is nobody's, and what a server asks of its client is refused at once", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake() });
    const { outputs } = await run([["mcp__one__twice"], ["mcp__one__echo", { text: "x" }], [
      "mcp__one__ask",
    ]]);
    assert.deepEqual(outputs, ["first", "x", "[-32601,-32601,{}]"]);
  }));

Deno.test("progress is shown, and ends the silence that would end the call", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake("", { call_timeout_seconds: 1 }) });
    // progress every 0.4 s for 2 s, with a limit of 1 s
    const { outputs, records } = await run([["mcp__one__slow", { every: 400, parts: 5 }]]);
    assert.deepEqual(outputs, ["slow is done"]);
    const deltas = only(records, "tool_output_delta").map(({ delta }) => delta);
    assert.ok(deltas.length >= 3, String(deltas));
    assert.match(String(deltas[0]), /^\d\/100 on\n$/);
  }));

Deno.test("a call in silence is given up, and the server is told; the second time it is ended", () =>
  withMcp(async ({ servers, fake, run, notes }) => {
    await servers({ one: fake("", { call_timeout_seconds: 1 }) });
    const { outputs } = await run([
      ["mcp__one__silent"],
      ["mcp__one__echo", { text: "a" }],
      ["mcp__one__silent"],
      ["mcp__one__silent"],
      ["mcp__one__echo", { text: "b" }],
    ]);
    const late = "TIMEOUT after 1 s: one did not answer and was told to stop.";
    assert.deepEqual(outputs, [late, "a", late, late, "b"]);
    assert.equal(notes().filter((note) => note.startsWith("cancelled")).length, 3);
    assert.equal(notes().filter((note) => note.startsWith("started")).length, 2);
  }));

Deno.test("a server that dies in a call fails it at once; it is not called again, but the next call starts it", () =>
  withMcp(async ({ servers, fake, run, notes }) => {
    await servers({ one: fake() });
    const { outputs } = await run([
      ["mcp__one__crash"],
      ["mcp__one__echo", { text: "back" }],
      ["mcp__one__crash"],
      ["mcp__one__crash"],
      ["mcp__one__echo", { text: "no" }],
    ]);
    const dead =
      "tool_failed: one exited with status 3 during the call; whether it took effect is not known." +
      "\nstderr:\nsegfault, more or less";
    assert.deepEqual(outputs.slice(0, 4), [dead, "back", dead, dead]);
    assert.equal(
      outputs[4],
      "tool_failed: one was started 3 times within a minute and ended each time; /mcp restart tries again.",
    );
    assert.equal(notes().filter((note) => note.startsWith("call crash")).length, 3);
  }));

Deno.test("an interrupted call is told to the server", () =>
  withMcp(async ({ servers, fake, start, notes }) => {
    await servers({ one: fake() });
    const program = await start([["mcp__one__slow"]]);
    await program.waitFor((line) => line.includes('"tool_output_delta"'));
    program.kill("SIGINT");
    const { code, stdout } = await program.ended;
    assert.equal(code, 130);
    assert.match(stdout, /INTERRUPTED \(one was told to stop\)/);
    await until(
      () => notes().some((note) => note.startsWith("cancelled")),
      "the word to the server",
    );
  }));

Deno.test("a server's error at the start is quoted, with the end of its stderr, and the run goes on", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({
      dies: fake("early_exit"),
      refuses: fake("refuse"),
      ancient: fake("ancient"),
      hangs: fake("hang", { startup_timeout_seconds: 1 }),
      missing: { command: ["no-such-program-at-all"] },
      denied: { command: ["/etc/passwd"] },
      none: fake("no_tools"),
      old: fake("few,old"),
    });
    const { code, diagnostics, offered } = await run([]);
    assert.equal(code, 0);
    assert.deepEqual(offered[0], ["mcp__old__echo", "mcp__old__read"]);
    const wanted = [
      /^mcp server dies: it exited with status 7 before it answered\.\nstderr:\nno such module: left-pad$/,
      /^mcp server refuses: it refuses to start: the database is not reachable \(-32603\)\.$/,
      /^mcp server ancient: it speaks "1999-01-01" of the protocol; nimlet speaks 2026-07-28, 2025-11-25, /,
      /^mcp server hangs: no answer within 1 s; mcp\.servers\.hangs\.startup_timeout_seconds sets the limit\.$/,
      /^mcp server missing: no-such-program-at-all cannot be started: no such program was found\. /,
      /^mcp server denied: \/etc\/passwd cannot be started: it is not executable\.$/,
    ];
    for (const line of wanted) {
      assert.equal(
        diagnostics.filter((one) => line.test(one)).length,
        1,
        `${line}\n${diagnostics.join("\n")}`,
      );
    }
    assert.equal(diagnostics.length, wanted.length);
  }));

Deno.test("a required server that is not there ends the run with exit status 2", () =>
  withMcp(async ({ servers, fake, run, program }) => {
    await servers({
      one: fake("hang", { required: true, startup_timeout_seconds: 1 }),
      two: fake("few"),
    });
    const { code, requests, records } = await run([]);
    assert.deepEqual([code, requests.length], [2, 0]);
    const [error] = only(records, "error");
    assert.match(String(error!.message), /^mcp server one: no answer within 1 s/);
    const listed = await program(["--list-tools"]);
    assert.equal(listed.code, 2);
  }));

Deno.test("servers that are silent or exit at what they do not know work, as those do that know nothing else", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({
      exits: fake("few,exits_at_discover"),
      hangs: fake("few,hangs_at_discover"),
      modern: fake("few,stateless"),
    });
    const { offered, outputs } = await run([["mcp__modern__echo", { text: "hello, modern" }]]);
    assert.equal(offered[0]!.length, 6);
    assert.deepEqual(outputs, ["hello, modern"]);
  }));

Deno.test("odd forms are taken as they are meant: no error, a text for blocks, what is no result, a long banner", () =>
  withMcp(async ({ servers, fake, run }) => {
    await servers({ one: fake("null_errors,long_banner") });
    const { outputs, diagnostics } = await run([
      ["mcp__one__raw", { result: { content: "a text" } }],
      ["mcp__one__raw", { result: "no result" }],
      ["mcp__one__raw", {
        result: { content: [null, { type: "text", text: 5 }, { type: "image" }] },
      }],
      ["mcp__one__raw", {}],
    ]);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(outputs, [
      "a text",
      "tool_failed: one answered with what is no result.",
      '[content of the unknown kind "": left out]\n\n5\n\n[image, of unknown type, 0 bytes: left out]',
      "tool_failed: one answered with what is no result.",
    ]);
  }));

/** A server of a few lines of shell, which closes its stdout when it is called. */
const closing = `while read -r line; do case $line in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}';;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"close","inputSchema":{"type":"object"}}]}}';;
*'"tools/call"'*) exec >&-;;
esac; done`;

testWhere(
  posix,
  "a server that closes its stdout has ended, and one that refuses oddly is told so",
  () =>
    withMcp(async ({ servers, fake, run }) => {
      await servers({ one: { command: ["sh", "-c", closing] }, odd: fake("refuse_oddly") });
      const { outputs, diagnostics } = await run([["mcp__one__close"], ["mcp__one__close"]]);
      const ended =
        "tool_failed: one closed its stdout during the call; whether it took effect is not known.";
      assert.deepEqual(outputs, [ended, ended]);
      assert.deepEqual(diagnostics, ["mcp server odd: it refuses to start: no."]);
    }),
);
