/** Extensions that fail, flood or lie: the run goes on, bounded, and says what is wrong. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { withExtensions } from "../support/extensions.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startProgram } from "../support/program.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { until } from "../support/until.ts";

const bash = (command: string): [string, unknown] => ["bash", { command }];
const tool = { name: "t", description: "T.", input_schema: { type: "object" } };

for (
  const { how, given, told } of [
    {
      how: "ends at once",
      given: { first: `console.error("no key"); Deno.exit(4);` },
      told: /the extension x exited with status 4 before it registered\.\nstderr:\nno key/,
    },
    {
      how: "cannot be started",
      given: { command: ["no-such-program-of-nimlet"] },
      told: /the extension x cannot be started: no-such-program-of-nimlet was not found on PATH/,
    },
    {
      how: "registers with what does not fit",
      given: { register: { tools: [{ name: "no blanks" }] }, isUnfit: true },
      told: /the extension x registered with what does not fit: tools\[0\]\.name: expected 1 to 64/,
    },
    {
      how: "says no JSON",
      given: { first: `sayRaw("hello\\n[1]\\n\\ufeff\\n");`, register: {} },
      told: /the extension x wrote to standard output what is no JSON object; it is ignored/,
    },
    {
      how: "has an unknown type",
      given: { first: `say({ type: "regster" });`, register: {}, isUnfit: true },
      told: /the extension x wrote a line of an unknown type, "regster"/,
    },
  ]
) {
  Deno.test(`an extension that ${how} is one warning, and the run goes on`, () =>
    withExtensions(
      given,
      [call("bash", { command: "echo a" }), say("ok")],
      async ({ run, starts }) => {
        const { code, records, told: warnings } = await run("-p", "go", "--mode", "json");
        assert.equal(code, 0);
        assert.equal(only(records, "run_end")[0]?.answer, "ok");
        assert.match(warnings, told);
        assert.ok((await starts()).length <= 3);
      },
    ));
}

Deno.test("one that dies at each event is started three times a minute, and the calls run", () =>
  withExtensions(
    {
      register: { events: ["tool_call", "tool_result"] },
      on: `if (m.event?.startsWith("tool_")) Deno.exit(7);`,
    },
    [callAll(bash("echo 1"), bash("echo 2"), bash("echo 3"), bash("echo 4")), say("ok")],
    async ({ run, starts }) => {
      const { outputs, told, code } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.equal(outputs.filter((output) => output.includes("exit_code: 0")).length, 4);
      assert.equal((await starts()).length, 3);
      assert.equal(told.split("is disabled").length, 2, told);
      assert.equal(told.split("exited with status 7 (").length, 2, told);
    },
  ));

Deno.test("one that is late is waited for ten seconds, once", () =>
  withExtensions(
    { first: "await sleep(60000);" },
    [call("bash", { command: "echo a" }), say("ok")],
    async ({ run }) => {
      const startMs = Date.now();
      const { code, told } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.match(told, /the extension x did not register within 10 s/);
      assert.ok(Date.now() - startMs < 18_000);
    },
  ));

Deno.test("the failures of a tool are told as they are", () =>
  withExtensions(
    {
      manifest: { response_timeout_seconds: 1 },
      isUnfit: true,
      register: { tools: [tool] },
      on: `if (m.type === "tool") {
        const { how } = m.arguments;
        if (how === "silent") return;
        if (how === "slow") {
          for (let i = 0; i < 6; i++) { await sleep(300); say({ type: "tool_update", id: m.id, content: "." }); }
          return answer(m, { content: [{ type: "text", text: "slow but there" }] });
        }
        if (how === "error") return answer(m, { error: "no luck" });
        if (how === "is_error") return answer(m, { content: [{ type: "text", text: "bad input" }], is_error: true });
        if (how === "odd") return answer(m, { content: "text" });
        if (how === "nothing") return answer(m);
        console.error("last words");
        Deno.exit(3);
      }`,
    },
    [
      callAll(
        ...["silent", "slow", "error", "is_error", "odd", "nothing", "die"].map((
          how,
        ): [string, unknown] => ["t", { how }]),
      ),
      say("ok"),
    ],
    async ({ run, heard }) => {
      const { outputs, records } = await run("-p", "go", "--mode", "json");
      assert.equal(outputs[0], "TIMEOUT after 1 s: x did not answer and was told to stop.");
      assert.equal(outputs[1], "slow but there");
      assert.equal(outputs[2], "tool_failed: x failed: no luck.");
      assert.equal(outputs[3], "bad input");
      assert.match(outputs[4]!, /^tool_failed: x gave an unfit answer: content: expected array/);
      assert.equal(outputs[5], "(no output)");
      assert.match(
        outputs[6]!,
        /^tool_failed: x exited with status 3 during the call; whether it took effect is not known\.\nstderr:\nlast words/,
      );
      assert.deepEqual(only(records, "tool_result").map(({ is_error }) => is_error), [
        true,
        false,
        true,
        true,
        true,
        false,
        true,
      ]);
      assert.ok((await heard()).some(({ type }) => type === "cancel"));
    },
  ));

testWhere(posix, "an interrupt tells the tool to stop", () =>
  withExtensions(
    { register: { tools: [tool] }, on: `if (m.type === "tool") return;` },
    [call("t", {}), say("ok")],
    async ({ model, workspace, home, heard }) => {
      const program = startProgram([...model, "-p", "go", "--mode", "json"], {
        cwd: workspace,
        env: { HOME: home },
      });
      await until(async () => (await heard()).some(({ type }) => type === "tool"), "the call");
      program.kill("SIGINT");
      const { code, stdout } = await program.ended;
      assert.equal(code, 130);
      const [result] = only(checkedRecords(stdout), "tool_result");
      assert.match(String(result?.output), /^INTERRUPTED \(x was told to stop\)/);
      assert.ok((await heard()).some(({ type }) => type === "cancel"));
    },
  ));

Deno.test("stderr without end, stray lines and floods of updates hold nothing up", () =>
  withExtensions(
    {
      register: { tools: [tool] },
      on: `if (m.type === "tool") {
        const noise = "e".repeat(1023) + "\\n";
        for (let i = 0; i < 200; i++) Deno.stderr.writeSync(encoder.encode(noise));
        let lines = "";
        for (let i = 0; i < 20000; i++) lines += '{"type":"update","status":{"key":"k","text":"' + i + '"}}\\n';
        for (let i = 0; i < 5; i++) sayRaw("stray " + i + "\\n");
        const bytes = encoder.encode(lines);
        for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
        return answer(m, { content: [{ type: "text", text: "done" }] });
      }`,
    },
    [callAll(["t", {}], ["t", {}], ["t", {}]), say("ok")],
    async ({ run }) => {
      const { code, stdout, outputs, told, stderr } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.deepEqual(outputs, ["done", "done", "done"]);
      checkedRecords(stdout);
      assert.equal(told.split("no JSON object").length, 2);
      assert.doesNotMatch(stderr, /eeee/);
    },
  ));

Deno.test("an answer of 50 MB fails its call alone", () =>
  withExtensions(
    {
      register: { tools: [tool] },
      on: `if (m.type === "tool") {
        if (m.arguments.big) {
          const bytes = encoder.encode('{"type":"response","id":"' + m.id + '","content":[{"type":"text","text":"' + "x".repeat(50e6) + '"}]}\\n');
          for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
          return;
        }
        return answer(m, { content: [{ type: "text", text: "small" }] });
      }`,
    },
    [callAll(["t", { big: true }], ["t", {}]), say("ok")],
    async ({ run }) => {
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.match(
        outputs[0]!,
        /^tool_failed: x wrote a line of 5\d+ bytes; at most 16777216 are read\.$/,
      );
      assert.equal(outputs[1], "small");
    },
  ));

testWhere(
  posix,
  "images come as bytes, or as files of the workspace or the folder alone",
  () =>
    withExtensions(
      {
        register: { tools: [tool] },
        on:
          `if (m.type === "tool") return answer(m, { content: [{ type: "image", path: m.arguments.path }] });`,
      },
      [
        callAll(
          ["t", { path: "a.png" }],
          ["t", { path: "../secret.png" }],
          ["t", {
            path: "link.png",
          }],
          ["t", { path: "own.png" }],
          ["t", { path: "pipe" }],
        ),
        say("ok"),
      ],
      async ({ run, workspace, root, folder }) => {
        const png = Uint8Array.fromBase64(
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        );
        await Deno.writeFile(join(workspace, "a.png"), png);
        await Deno.writeFile(join(root, "secret.png"), png);
        await Deno.symlink(join(root, "secret.png"), join(workspace, "link.png"));
        await Deno.writeFile(join(folder(), "own.png"), png);
        new Deno.Command("mkfifo", { args: [join(workspace, "pipe")] }).outputSync();
        const { outputs } = await run("-p", "go", "--mode", "json");
        assert.match(outputs[4]!, /^\[image pipe: is no file of/);
        assert.equal(outputs[0], "(an image)");
        assert.match(outputs[1]!, /^\[image \.\.\/secret\.png: is no file of/);
        assert.match(outputs[2]!, /^\[image link\.png: is no file of/);
        assert.equal(outputs[3], "(an image)");
      },
    ),
);

Deno.test("manifests that cannot be used are skipped, and say why", () =>
  withExtensions(
    [
      { name: "a", manifest: { command: ["../../elsewhere"] } },
      { name: "b", manifest: { response_timeout_seconds: 0 } },
      { name: "c", manifest: { guard: true } },
      { name: "d", manifest: { name: "c" } },
    ],
    [say("ok")],
    async ({ run, folder, home }) => {
      await Deno.mkdir(join(home, ".nimlet/extensions/e"));
      await Deno.writeTextFile(join(home, ".nimlet/extensions/e/extension.json"), "{");
      const { stderr, code } = await run("-p", "go");
      assert.equal(code, 0);
      assert.match(
        stderr,
        /a\/extension\.json: command\[0\]: "\.\.\/\.\.\/elsewhere" leads outside the extension's folder; skipped/,
      );
      assert.match(stderr, /b\/extension\.json: response_timeout_seconds: .*; skipped/);
      assert.match(
        stderr,
        /c\/extension\.json: unknown key "guard" is ignored; did you mean "guards"\?/,
      );
      assert.match(stderr, /d\/extension\.json: the name c is taken; it is shown as c-2/);
      assert.match(stderr, /e\/extension\.json: line 1, column/);
      assert.ok(folder("a"));
    },
  ));

Deno.test("a tool whose schema is none is skipped, and the others stay", () =>
  withExtensions(
    { register: { tools: [{ ...tool, name: "bad", input_schema: { type: "strng" } }, tool] } },
    [say("ok")],
    async ({ run }) => {
      const { stdout, stderr } = await run("--list-tools");
      assert.match(stderr, /the extension x: the tool bad is skipped: input_schema\.type/);
      assert.match(stdout, /^t /m);
      assert.doesNotMatch(stdout, /^bad/m);
    },
  ));

Deno.test("floods of messages, entries and names are bounded", () =>
  withExtensions(
    {
      register: { events: ["session_end"], commands: [{ name: "flood" }] },
      on: `const times = (count, line) => sayRaw((JSON.stringify(line) + "\\n").repeat(count));
      const big = "x".repeat(60000);
      if (m.type === "command") {
        for (let n = 0; n < 400; n++) say({ type: "update", entry: { big } });
        times(1000, { type: "host_request", id: "h", method: "session.name", name: "mine" });
        return answer(m, { message: "done" });
      }
      if (m.event === "session_end") {
        times(5000, { type: "update", user_message: { content: "more", deliver_as: "now" } });
      }`,
    },
    [say("ok")],
    async ({ run, home }) => {
      const { code, told, stderr } = await run("-p", "/flood", "--mode", "json");
      assert.equal(code, 0);
      assert.match(told, /x: no more entries are kept: there are 16777216 bytes of them/);
      assert.ok(stderr.split("\n").length < 60, `${stderr.split("\n").length} lines`);
      const sessions = join(home, ".nimlet/sessions");
      const files = [...Deno.readDirSync(sessions)].flatMap(({ name, isDirectory }) =>
        isDirectory
          ? [...Deno.readDirSync(join(sessions, name))].map((file) =>
            join(sessions, name, file.name)
          )
          : [join(sessions, name)]
      ).filter((path) => path.endsWith(".jsonl"));
      const text = files.map((path) => Deno.readTextFileSync(path)).join("");
      assert.ok(text.length < 18_000_000 && text.length > 10_000_000, `${text.length}`);
      assert.equal(text.match(/"kind":"name"/g)?.length, 1);
    },
  ));
