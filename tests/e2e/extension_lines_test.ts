/** Lines between the program and an extension that are odd, broken or too many. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { withExtensions } from "../support/extensions.ts";
import { recordsOf } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { runShell } from "../support/shell.ts";
import { installed, testWhere } from "../support/test_where.ts";

const tool = { name: "t", description: "T.", input_schema: { type: "object" } };
const bash = (command: string): [string, unknown] => ["bash", { command }];

/** Answers the call with a line that `made` makes of `line`, without its end; 'é' stands in the text. */
const answering = (made: string) => ({
  register: { tools: [tool] },
  on: `if (m.type === "tool") {
    const line = JSON.stringify({ type: "response", id: m.id, content: [{ type: "text", text: "hé\\u2028 🎉" }] });
    const write = (bytes) => Deno.stdout.writeSync(bytes);
    ${made}
    return;
  }`,
});

for (
  const { how, made } of [
    { how: "ends with CR LF", made: `sayRaw(line + "\\r\\n");` },
    { how: "has blanks around it", made: `sayRaw("\\n \\t\\n  " + line + "  \\n");` },
    { how: "begins with a byte order mark", made: `sayRaw("\\ufeff" + line + "\\n");` },
    {
      how: "comes byte by byte",
      made:
        `for (const byte of encoder.encode(line + "\\n")) { write(new Uint8Array([byte])); await sleep(1); }`,
    },
    { how: "has another before it", made: `sayRaw('{"type":"update"}\\n' + line + "\\n");` },
    {
      how: "has unknown fields",
      made: `sayRaw(JSON.stringify({ ...JSON.parse(line), more: [1] }) + "\\n");`,
    },
    {
      how: "is the first of two with its id",
      made: `sayRaw(line + "\\n" + line.replace("hé", "no") + "\\n");`,
    },
    { how: "is the last, and ends with the output", made: `sayRaw(line); Deno.exit(0);` },
  ]
) {
  Deno.test(`an answer is read that ${how}`, () =>
    withExtensions(answering(made), [call("t", {}), say("ok")], async ({ run }) => {
      const { outputs, told, code } = await run("-p", "go", "--mode", "json");
      assert.deepEqual(outputs, ["hé\u2028 🎉"]);
      assert.equal(code, 0);
      assert.equal(told, "");
    }));
}

Deno.test("what is too deep, of another type or not asked for harms nobody", () =>
  withExtensions(
    {
      register: { tools: [tool], events: ["tool_call"] },
      on:
        `const deep = (around, times) => around.replace("DEEP", "[".repeat(times) + "]".repeat(times)) + "\\n";
      if (m.event === "tool_call") {
        const times = m.payload.arguments.times;
        sayRaw(deep('{"type":"update","entry":{"a":DEEP}}', times));
        sayRaw(deep('{"type":"host_request","id":"h","method":"session.info","a":DEEP}', times));
        sayRaw(deep('{"type":"ui_request","id":"u","method":"confirm","prompt":"?","a":DEEP}', times));
        sayRaw(deep('{"type":"response","id":"' + m.id + '","context":"x","a":DEEP}', times));
        return;
      }
      if (m.type === "tool") {
        sayRaw('{"type":"response"}\\n{"type":"response","id":5}\\n{"type":"tool_update","id":"n99","content":"x"}\\n');
        sayRaw('{"type":"response","id":"n99"}\\n{"type":"register"}\\n{"type":"ui_response","id":"u","cancelled":true}\\n');
        sayRaw('{"type":"__proto__"}\\n{"__proto__":{"type":"register"}}\\n{"type":"update","status":{"key":"__proto__","text":"x"}}\\n');
        sayRaw(deep('{"type":"response","id":"' + m.id + '","content":DEEP}', m.arguments.times));
      }`,
    },
    [callAll(["t", { times: 150 }], ["t", { times: 200_000 }]), say("ok")],
    async ({ run, heard }) => {
      const { outputs, code, told } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      for (const output of outputs) {
        assert.equal(
          output,
          "tool_failed: x gave an unfit answer: expected at most 100 levels of arrays and objects.",
        );
      }
      assert.match(told, /wrote a line that does not fit \(update: expected at most 100 levels/);
      assert.match(told, /registered twice; the first one counts/);
      const answers = (await heard()).filter(({ type }) => /_response$/.test(type ?? ""));
      assert.deepEqual(answers.map(({ type, ok, cancelled }) => ({ type, ok, cancelled })), [
        { type: "host_response", ok: false, cancelled: undefined },
        { type: "ui_response", ok: undefined, cancelled: true },
        { type: "host_response", ok: false, cancelled: undefined },
        { type: "ui_response", ok: undefined, cancelled: true },
      ]);
    },
  ));

Deno.test("an extension whose output never ends holds nothing up", () =>
  withExtensions(
    {
      register: { tools: [tool] },
      on: `if (m.type === "tool") {
        const noise = encoder.encode("y\\n".repeat(32768));
        (async () => { for (;;) { await Deno.stdout.write(noise); await sleep(0); } })();
        return;
      }`,
    },
    [callAll(["t", {}], bash("echo a")), say("ok")],
    async ({ run }) => {
      const { code, outputs, told } = await run("-p", "go", "--mode", "json", "--timeout", "4");
      assert.equal(code, 3);
      assert.match(outputs[0]!, /^INTERRUPTED/);
      assert.equal(told.split("no JSON object").length, 2);
    },
  ));

Deno.test("a call whose answer is a line of 100 MB fails, wherever its id stands", () =>
  withExtensions(
    {
      register: { tools: [tool] },
      on: `if (m.type === "tool") {
        const [id, content] = ['"id":"' + m.id + '"', '"content":[{"type":"text","text":"' + "x".repeat(100e6) + '"}]'];
        const fields = m.arguments.first ? id + "," + content : content + "," + id;
        const bytes = encoder.encode('{"type":"response",' + fields + "}\\n");
        for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
        return;
      }`,
    },
    [callAll(["t", { first: true }], ["t", { first: false }]), say("ok")],
    async ({ run }) => {
      const { outputs } = await run("-p", "go", "--mode", "json");
      for (const output of outputs) {
        assert.match(output, /^tool_failed: x wrote a line of 1000000\d\d bytes; at most 16777216/);
      }
    },
  ));

Deno.test("requests to one that reads nothing fail at once when 16 MB wait for it", () =>
  withExtensions(
    {
      manifest: { response_timeout_seconds: 1 },
      register: { events: ["tool_result"] },
      on: `if (m.event === "tool_result") for (;;) ;`,
    },
    Array.from(
      { length: 9 },
      (_, n) => call("bash", { command: `head -c 3000000 /dev/zero | tr '\\0' ${n}` }),
    ).concat([say("ok")]),
    async ({ run }) => {
      const { code, records, told, stderr } = await run(
        "-p",
        "go",
        "--mode",
        "json",
        "--set",
        "tools.bash.max_output_bytes=4000000",
        "--set",
        "agent.context_window=100000000",
      );
      assert.equal(code, 0, stderr);
      assert.match(told, /the extension x did not answer within 1 s/);
      const times = only(records, "tool_result").flatMap(({ hooks }) =>
        (hooks as { ms: number }[]).map(({ ms }) => ms)
      );
      assert.equal(times.length, 9);
      assert.ok(times[0]! >= 1000, `${times}`);
      // what waits is more than 16 MB by then
      assert.ok(times.slice(-2).every((ms) => ms < 900), `${times}`);
    },
  ));

testWhere(
  installed("jq"),
  "JSON mode with all that can be said beside: each line of stdout is one object",
  () =>
    withExtensions(
      {
        first: `sayRaw("stray\\n{ \\u001b[31m\\n"); console.error("noise of its own");`,
        register: { events: ["tool_call"], odd: undefined },
        on:
          `if (m.event === "tool_call") { console.log("on its stdout"); console.error("on its stderr"); return answer(m); }`,
      },
      [callAll(["noisy", {}], bash("echo out; echo err >&2")), say("ok")],
      async ({ root, model, workspace, home }) => {
        const files: Record<string, string> = {
          ".nimlet/skills/broken/SKILL.md": "---\nname: [\n---\n",
          ".nimlet/config.json": JSON.stringify({
            agent: { max_turns: 3 },
            no_such_key: 1,
            tools: { bash: { no_such: 1 } },
          }),
          ".nimlet/tools/noisy/tool.json": JSON.stringify({
            name: "noisy",
            description: "Noisy.",
            command: ["noisy.sh"],
            input_schema: { type: "object" },
          }),
          ".nimlet/tools/noisy/noisy.sh": "#!/bin/sh\necho noise >&2\necho '{}'\n",
        };
        for (const [name, text] of Object.entries(files)) {
          const path = join(home, name);
          await Deno.mkdir(join(path, ".."), { recursive: true });
          await Deno.writeTextFile(path, text, { mode: 0o755 });
        }
        await Deno.mkdir(join(workspace, ".nimlet/tools/own"), { recursive: true });
        await Deno.writeTextFile(join(workspace, ".nimlet/tools/own/tool.json"), "{}");
        const { stdout, stderr } = await runShell(
          `nimlet ${model.join(" ")} --mode json go 2> "$PWD/../stderr" > "$PWD/../stdout"; ` +
            `jq -c . < "$PWD/../stdout" > "$PWD/../lines" && echo fits`,
          { root, cwd: workspace, env: { HOME: home } },
        );
        assert.equal(stdout, "fits\n", stderr);
        const text = await Deno.readTextFile(join(root, "stdout"));
        const records = checkedRecords(text);
        assert.equal(recordsOf(text).length, text.split("\n").length - 1);
        const told = only(records, "diagnostic").map(({ message }) => String(message)).join("\n");
        for (const what of [/no JSON object/, /no_such_key/, /not trusted/]) {
          assert.match(
            told,
            what,
          );
        }
        assert.match(await Deno.readTextFile(join(root, "stderr")), /no JSON object/);
      },
    ),
);

Deno.test("200 KB of stderr with each of 20 messages hold nothing up, and are shown nowhere", () =>
  withExtensions(
    {
      register: { tools: [tool] },
      on: `if (m.type === "tool") {
        const noise = encoder.encode(("e".repeat(1023) + "\\n").repeat(200));
        for (let at = 0; at < noise.length;) at += Deno.stderr.writeSync(noise.subarray(at));
        return answer(m, { content: [{ type: "text", text: "done" }] });
      }`,
    },
    [
      callAll(...Array.from({ length: 20 }, (_, n): [string, unknown] => ["t", { n }])),
      say("ok"),
    ],
    async ({ run }) => {
      const { code, stdout, stderr, outputs } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.deepEqual(outputs, Array(20).fill("done"));
      assert.doesNotMatch(stdout + stderr, /eeee/);
    },
  ));

Deno.test("no more than 32 requests are under way, and all are answered", () =>
  withExtensions(
    {
      register: { events: ["tool_call"] },
      first: "let open = 0, most = 0;",
      on: `if (m.event === "tool_call") {
        note("most", String(most = Math.max(most, ++open)));
        await sleep(50);
        open--;
        return answer(m);
      }`,
    },
    [
      callAll(
        ...Array.from({ length: 50 }, (_, n): [string, unknown] => ["read", { path: `f${n}` }]),
      ),
      say("ok"),
    ],
    async ({ run, folder, workspace }) => {
      for (let n = 0; n < 50; n++) await Deno.writeTextFile(join(workspace, `f${n}`), "text");
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.equal(outputs.filter((output) => output.includes("text")).length, 50);
      const most = (await Deno.readTextFile(join(folder(), "most"))).trim().split("\n").map(Number);
      assert.ok(Math.max(...most) <= 32, `${Math.max(...most)}`);
    },
  ));

Deno.test("an extension that registers late joins at the next request", () =>
  withExtensions(
    {
      register: { tools: [tool] },
      first: "await sleep(11000);",
      on:
        `if (m.type === "tool") return answer(m, { content: [{ type: "text", text: "there" }] });`,
    },
    [call("bash", { command: "sleep 4" }), call("t", {}), say("ok")],
    async ({ run }) => {
      const { outputs, told } = await run("-p", "go", "--mode", "json");
      assert.match(told, /the extension x did not register within 10 s/);
      assert.equal(outputs[1], "there");
    },
  ));
