/** What hooks can say of permission, and that nothing passes a guard. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { writeExtension } from "../support/extensions.ts";
import { decides, hookSettings, withHookRun, writeHookFiles } from "../support/hooks.ts";
import { withHookClient } from "../support/hook_rpc.ts";
import { withMcp } from "../support/mcp.ts";
import { only } from "../support/records.ts";
import { installed, testWhere } from "../support/test_where.ts";

const bash = (command: string) => call("bash", { command });
const allow = decides({ permissionDecision: "allow" });
const ask = decides({ permissionDecision: "ask", permissionDecisionReason: "it pushes" });

Deno.test("your allow answers a question, once, and never for what is asked every time", () =>
  withHookClient({
    settings: hookSettings({ command: allow, name: "yes" }),
    files: { "W/x": "" },
    steps: [bash("touch a"), bash("rm -rf x"), say("ok"), bash("touch b"), say("ok")],
  }, async (client) => {
    const [first, second] = await client.prompt("go", "deny");
    assert.doesNotMatch(first!, /denied/);
    assert.equal(second, "approval_denied: the person said no");
    assert.deepEqual(client.questions().map(({ subject }) => subject), ["rm -rf x"]);
    assert.ok((await Deno.stat(join(client.place.workspace, "x"))).isFile);
  }));

Deno.test("your allow lifts no plan mode, and counts as a grant with --ask deny", async () => {
  const settings = hookSettings({ command: allow, name: "yes" });
  const write = call("write", { path: "a", content: "x" });
  await withHookRun(
    { settings, steps: [write, say("ok")], args: ["--plan"] },
    async ({ outputs, place }) => {
      assert.match(outputs[0]!, /plan mode/);
      await assert.rejects(Deno.stat(join(place.workspace, "a")));
    },
  );
  await withHookRun({
    settings,
    steps: [bash("touch a"), bash("rm -rf a"), say("ok")],
    args: ["--ask", "deny"],
  }, async ({ outputs, place }) => {
    assert.doesNotMatch(outputs[0]!, /denied/);
    assert.match(outputs[1]!, /^approval_denied: it runs rm/);
    assert.ok((await Deno.stat(join(place.workspace, "a"))).isFile);
  });
});

Deno.test("a project's allow is ignored, with one warning", () =>
  withHookRun({
    files: { "W/.nimlet/config.json": hookSettings({ command: allow, name: "theirs" }) },
    steps: [bash("touch a"), bash("touch b"), say("ok")],
    args: ["--approve", "--ask", "deny"],
  }, ({ outputs, stderr }) => {
    for (const output of outputs) assert.match(output, /^approval_denied: no remembered/);
    assert.equal(stderr.match(/hook theirs: its "allow" is ignored/g)?.length, 1, stderr);
  }));

Deno.test("ask denies where nobody can be asked, also with --yolo and a grant", async () => {
  const settings = hookSettings({ command: ask, name: "careful" });
  for (const args of [[], ["--yolo"], ["--allow", "bash:touch a"]]) {
    await withHookRun(
      { settings, steps: [bash("touch a"), say("ok")], args },
      async ({ outputs, place }) => {
        assert.equal(
          outputs[0],
          "approval_denied: hook careful: it pushes; it needs approval, and nobody can be asked in this mode",
        );
        await assert.rejects(Deno.stat(join(place.workspace, "a")));
      },
    );
  }
});

Deno.test("ask puts the question in spite of --yolo and grants, with the arguments that will run", () =>
  withHookClient({
    settings: hookSettings(
      { matcher: "Bash", command: ask, name: "careful" },
      {
        matcher: "Bash",
        command: decides({ updatedInput: { command: "touch changed" } }),
        name: "changes",
      },
      { matcher: "Bash", command: allow, name: "yes" },
      { matcher: "Write", command: ask, name: "careful" },
    ),
    steps: [bash("touch a"), call("write", { path: "w", content: "x" }), say("ok")],
    args: ["--yolo", "--allow", "bash:touch changed"],
  }, async (client) => {
    const outputs = await client.prompt("go", "once");
    const [first, second] = client.questions();
    assert.equal(first?.subject, "touch changed");
    assert.equal(first?.asked_by, "hook careful: it pushes");
    assert.deepEqual(second?.answers, ["once", "deny"]);
    assert.equal(outputs.length, 2);
    assert.ok((await Deno.stat(join(client.place.workspace, "changed"))).isFile);
    assert.ok((await Deno.stat(join(client.place.workspace, "w"))).isFile);
    await assert.rejects(Deno.stat(join(client.place.workspace, "a")));
  }));

const guard = { name: "g", required: true };
const external = {
  "home/.nimlet/tools/ext/tool.json": JSON.stringify({
    name: "ext",
    description: "Says what it is given.",
    command: ["./ext.sh"],
    input_schema: { type: "object", properties: { text: { type: "string" } } },
  }),
  "home/.nimlet/tools/ext/ext.sh": `#!/bin/sh\ntouch ran; cat\n`,
};

Deno.test("a guard holds against every tool, calls at once, --yolo, grants and an approval", async () => {
  const steps = [
    callAll(
      ["bash", { command: "touch ran" }],
      ["write", { path: "ran", content: "x" }],
      ["read", { path: "secret" }],
      ["grep", { pattern: "." }],
      ["glob", { pattern: "*" }],
      ["git", { command: "status" }],
      ["edit", { path: "secret", old_text: "s", new_text: "t" }],
      ["ext", { text: "x" }],
      ["read", { path: "secret" }],
    ),
    say("ok"),
  ];
  const ways = ["exit 2", "exit 1", "kill -9 $$", "sleep 30", "echo '{'"];
  for (const command of ways) {
    const settings = hookSettings(
      { command: allow, name: "yes" },
      { ...guard, command, timeout: 0.3 },
    );
    const files = { "W/secret": "s\n", ...external };
    await withHookRun(
      { settings, files, steps, args: ["--yolo", "--allow", "tool:ext"] },
      async ({ outputs, place }) => {
        assert.equal(outputs.length, 9);
        for (const output of outputs) {
          assert.match(
            output,
            /^approval_denied: (?:hook g: |the guard g failed)|^unknown|^invalid/,
          );
        }
        assert.ok(outputs.filter((output) => /^approval_denied/.test(output)).length >= 7);
        await assert.rejects(Deno.stat(join(place.workspace, "ran")));
        assert.equal(await Deno.readTextFile(join(place.workspace, "secret")), "s\n");
      },
    );
  }
  await withHookClient({
    settings: hookSettings({ ...guard, command: "exit 2" }),
    steps: [bash("touch ran"), say("ok")],
  }, async (client) => {
    const outputs = await client.prompt("go", "once");
    assert.match(outputs[0]!, /^approval_denied: hook g/);
    assert.equal(client.questions().length, 0);
    await assert.rejects(Deno.stat(join(client.place.workspace, "ran")));
  });
});

Deno.test("a guard sees the final arguments, and nobody changes them after it", () =>
  withHookRun({
    settings: hookSettings(
      { ...guard, command: `cat >> guarded; echo '{}'`, matcher: "Bash" },
      { command: decides({ updatedInput: { command: "echo two" } }), matcher: "Bash" },
    ),
    steps: [bash("echo one"), say("ok")],
  }, async ({ outputs, place }) => {
    assert.match(outputs[0]!, /two/);
    const seen = await Deno.readTextFile(join(place.workspace, "guarded"));
    assert.deepEqual(seen.trim().split("\n").map((line) => JSON.parse(line).tool_input), [
      { command: "echo two" },
    ]);
  }));

Deno.test("guards that change the arguments are asked once more, and a second change denies", async () => {
  const counts = `n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; `;
  const settled = decides({ updatedInput: { command: "echo safe" } });
  await withHookRun({
    settings: hookSettings({ ...guard, command: `${counts}${settled}` }),
    steps: [bash("echo one"), say("ok")],
  }, async ({ outputs, place }) => {
    assert.match(outputs[0]!, /safe/);
    assert.equal((await Deno.readTextFile(join(place.workspace, "n"))).trim(), "2");
  });
  const restless =
    `${counts}printf '{"hookSpecificOutput":{"updatedInput":{"command":"echo %s"}}}' $n`;
  await withHookRun({
    settings: hookSettings({ ...guard, command: restless }),
    steps: [bash("echo one"), say("ok")],
  }, ({ outputs }) => {
    assert.match(
      outputs[0]!,
      /^approval_denied: hook g changed the arguments after all guards had seen them$/,
    );
  });
});

Deno.test("a guard changes and denies calls of external tools, whatever the order of their keys", async () => {
  const sorted = `python3 -c 'import json,sys
i=json.load(sys.stdin)["tool_input"]
i["text"]="changed"
print(json.dumps({"hookSpecificOutput":{"updatedInput":dict(sorted(i.items(), reverse=True))}}))'`;
  await withHookRun({
    settings: hookSettings({ ...guard, matcher: "ext", command: sorted }),
    files: external,
    steps: [call("ext", { a: 1, text: "x" }), say("ok")],
  }, ({ outputs, records }) => {
    assert.match(outputs[0]!, /"text": ?"changed"/);
    assert.deepEqual(only(records, "tool_result")[0]!.input, { text: "changed", a: 1 });
  });
});

Deno.test("a guard of results withholds what it did not see, images and live output with it", () =>
  withHookRun({
    settings: hookSettings(
      { event: "PostToolUse", command: "cat > passed.json", matcher: "Bash" },
      { event: "PostToolUse", ...guard, command: "exit 1" },
      { event: "PostToolUseFailure", ...guard, command: "exit 1" },
    ),
    steps: [
      callAll(
        ["bash", { command: "echo secret" }],
        ["bash", { command: "echo secret; exit 3" }],
        ["read", { path: "none-secret" }],
      ),
      say("ok"),
    ],
  }, ({ outputs, records, stdout }) => {
    for (const output of outputs) {
      assert.match(output, /^hook_failed: the guard g failed: status 1; the result is withheld$/);
    }
    assert.deepEqual(only(records, "tool_output_delta"), []);
    const rest = stdout.split("\n").filter((line) => !line.includes('"tool_call"'));
    assert.doesNotMatch(rest.join("\n"), /secret/);
  }));

Deno.test("a hook that blocks in whatever form, with whatever else it says, blocks", async () => {
  for (
    const command of [
      `printf '{"decision":"approve"}\\377'; exit 2`,
      `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'; exit 2`,
      `echo 'no JSON {'; exit 2`,
      `yes x | head -c 100000 >&2; exit 2`,
      `echo '{"decision":"block","reason":"r"}'; exit 7`,
      `echo '{"permissionDecision":"deny"}'`,
      `echo '{"decision":"deny"}'`,
      `echo '{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny"}}'`,
      `echo '{"decision":"block","hookSpecificOutput":{"permissionDecision":"allow"}}'`,
      `printf '\\357\\273\\277{"decision":"block"}'`,
    ]
  ) {
    await withHookRun({
      settings: hookSettings({ command, name: "n" }),
      steps: [bash("touch ran"), say("ok")],
    }, async ({ outputs, place }) => {
      assert.match(outputs[0]!, /^approval_denied: hook n: /, command);
      await assert.rejects(Deno.stat(join(place.workspace, "ran")), command);
    });
  }
});

/** Denies a text of "no", and changes every other to "changed". */
const textGuard = `#!/usr/bin/env python3
import json, sys
data = json.load(sys.stdin)
open("asked", "a").write(data["tool_name"] + "\\n")
given = data["tool_input"]
if given["text"] == "no":
    print("no", file=sys.stderr)
    sys.exit(2)
print(json.dumps({"hookSpecificOutput": {"updatedInput": {**given, "text": "changed"}}}))
`;

testWhere(
  installed("python3"),
  "the same guard before an external, an extension's and a server's tool, at once and one by one",
  () =>
    withMcp(async ({ servers, fake, run, home, root, workspace }) => {
      const guarded = JSON.parse(hookSettings({
        matcher: "ext|echo_back|mcp__one",
        command: "~/guard.py",
        name: "text",
        required: true,
      }));
      await servers({ one: fake("few") }, guarded);
      await writeHookFiles(root, { "home/guard.py": textGuard, ...external });
      await writeExtension({
        register: {
          tools: [{
            name: "echo_back",
            description: "Says what it is given.",
            input_schema: { type: "object", properties: { text: { type: "string" } } },
          }],
        },
        on:
          `if (m.type === "tool") return answer(m, { content: [{ type: "text", text: "said " + m.arguments.text }] });`,
      }, { workspace, home });
      const names = ["ext", "echo_back", "mcp__one__echo"];
      const { outputs, records } = await run(
        names.flatMap((name) => [[name, { text: "yes" }], [name, { text: "no" }]] as const),
        ["--yolo"],
      );
      assert.equal(outputs.length, 6);
      for (const [number, output] of outputs.entries()) {
        if (number % 2 === 0) assert.match(output, /changed/);
        else assert.equal(output, "approval_denied: hook text: no");
      }
      const inputs = only(records, "tool_result").map(({ input }) => input);
      assert.deepEqual(inputs.filter((input) => input !== undefined), [
        { text: "changed" },
        { text: "changed" },
        { text: "changed" },
      ]);
      // each changed call is asked about once more
      const asked = (await Deno.readTextFile(join(workspace, "asked"))).trim().split("\n");
      assert.deepEqual(asked, names.flatMap((name) => [name, name, name]));
    }),
);
