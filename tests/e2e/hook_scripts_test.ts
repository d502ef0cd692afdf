/**
 * Scripts in the styles in which people write hooks for Claude Code, unchanged, by a settings.json of
 * that program: python, bash with jq, node, answers by status and by JSON, old and new.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { type HookRun, withHookRun } from "../support/hooks.ts";
import { only } from "../support/records.ts";
import { installed, type Need, testWhere } from "../support/test_where.ts";

type Steps = Parameters<typeof withHookRun>[0]["steps"];

/** Runs with `scripts` in ~/.claude/hooks and their settings in ~/.claude/settings.json. */
function claudeTest(
  name: string,
  needs: Need | readonly Need[],
  { hooks, scripts, steps, files = {}, prompt }: {
    hooks: { [event: string]: { matcher?: string; hooks: { type: string; command: string }[] }[] };
    scripts: { [name: string]: string };
    steps: Steps;
    files?: { [path: string]: string };
    prompt?: string;
  },
  use: (run: HookRun) => Promise<void> | void,
) {
  testWhere(needs, `as for Claude Code: ${name}`, () =>
    withHookRun({
      settings: JSON.stringify({ hook_files: ["~/.claude/settings.json"] }),
      files: {
        "home/.claude/settings.json": JSON.stringify({
          $schema: "https://json.schemastore.org/claude-code-settings.json",
          model: "opus",
          permissions: { allow: ["Bash(ls:*)"], deny: ["Read(./.env)"] },
          hooks,
        }),
        ...Object.fromEntries(
          Object.entries(scripts).map(([script, text]) => [`home/.claude/hooks/${script}`, text]),
        ),
        ...files,
      },
      steps,
      ...prompt === undefined ? {} : { prompt },
    }, async (run) => {
      assert.doesNotMatch(run.told, /hook .*(?:failed|status|cannot|expected)/, run.told);
      await use(run);
    }));
}

const command = (line: string) => ({ type: "command", command: line });
const on = (matcher: string, ...lines: string[]) => [{ matcher, hooks: lines.map(command) }];
const bash = (line: string) => call("bash", { command: line });
const python = installed("python3"), jq = installed("jq"), node = installed("node");

claudeTest("a python guard of commands: json.load, patterns, stderr, sys.exit(2)", python, {
  hooks: { PreToolUse: on("Bash", "python3 ~/.claude/hooks/guard.py") },
  scripts: {
    "guard.py": `#!/usr/bin/env python3
import json, re, sys
RULES = [(re.compile(r"\\bgit\\s+push\\b.*--force"), "no forced pushes"),
         (re.compile(r"\\bcurl\\b.*\\|\\s*(ba)?sh"), "no piping into a shell")]
try:
    data = json.load(sys.stdin)
except json.JSONDecodeError as error:
    print(f"Error: Invalid JSON input: {error}", file=sys.stderr)
    sys.exit(1)
if data.get("tool_name") != "Bash":
    sys.exit(0)
line = data.get("tool_input", {}).get("command", "")
found = [why for rule, why in RULES if rule.search(line)]
if found:
    for why in found:
        print(f"• {why}", file=sys.stderr)
    sys.exit(2)
`,
  },
  steps: [bash("git push --force origin"), bash("curl x | sh"), bash("echo fine"), say("ok")],
}, ({ outputs }) => {
  assert.match(outputs[0]!, /^approval_denied: hook \w+: • no forced pushes$/);
  assert.match(outputs[1]!, /no piping into a shell$/);
  assert.match(outputs[2]!, /fine/);
});

claudeTest("a bash and jq guard of files, by $CLAUDE_PROJECT_DIR and several names", jq, {
  hooks: {
    PreToolUse: on("Edit|MultiEdit|Write", `"$CLAUDE_PROJECT_DIR"/.claude/hooks/protect.sh`),
  },
  scripts: {},
  files: {
    "W/.claude/hooks/protect.sh": `#!/bin/bash
set -euo pipefail
INPUT=$(cat)
FILE_PATH=$(echo "$INPUT" | jq -r '.tool_input.file_path // empty')
[ -z "$FILE_PATH" ] && exit 0
REL="\${FILE_PATH#"$CLAUDE_PROJECT_DIR"/}"
PROTECTED_PATTERNS=(".env" "package-lock.json" ".git/")
for pattern in "\${PROTECTED_PATTERNS[@]}"; do
  if [[ "$REL" == *"$pattern"* ]]; then
    echo "Blocked: $REL matches protected pattern '$pattern'" >&2
    exit 2
  fi
done
exit 0
`,
    "W/a.txt": "x\n",
  },
  steps: [
    call("write", { path: "sub/.env", content: "x" }),
    call("edit", { path: "a.txt", old_text: "x", new_text: "y" }),
    say("ok"),
  ],
}, async ({ outputs, place }) => {
  assert.match(
    outputs[0]!,
    /hook protect\.sh: Blocked: sub\/\.env matches protected pattern '\.env'$/,
  );
  assert.equal(await Deno.readTextFile(join(place.workspace, "a.txt")), "y\n");
});

claudeTest("decisions in JSON: deny, ask, allow with updatedInput, by node", node, {
  hooks: { PreToolUse: on("Bash|Read", "node ~/.claude/hooks/decide.js") },
  scripts: {
    "decide.js": `const chunks = [];
process.stdin.on("data", (c) => chunks.push(c));
process.stdin.on("end", () => {
  const { tool_name, tool_input } = JSON.parse(Buffer.concat(chunks).toString());
  const out = (o) => console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...o }, suppressOutput: true }, null, 2));
  if (tool_name === "Read" && /secret/.test(tool_input.file_path)) return out({ permissionDecision: "deny", permissionDecisionReason: "secrets stay here" });
  if (tool_name === "Bash" && tool_input.command.startsWith("npm ")) return out({ permissionDecision: "allow", permissionDecisionReason: "pnpm", updatedInput: { ...tool_input, command: "echo p" + tool_input.command } });
  if (tool_name === "Bash" && /deploy/.test(tool_input.command)) return out({ permissionDecision: "ask", permissionDecisionReason: "it deploys" });
  process.exit(0);
});
`,
  },
  files: { "W/secret.txt": "s\n", "W/open.txt": "o\n" },
  steps: [
    callAll(["read", { path: "secret.txt" }], ["read", { path: "open.txt" }]),
    bash("npm test"),
    bash("./deploy"),
    say("ok"),
  ],
}, ({ outputs }) => {
  const text = outputs.join("\n---\n");
  assert.match(text, /approval_denied: hook node: secrets stay here/);
  assert.match(text, /1: o|\bo\n/);
  assert.match(text, /pnpm test/);
  assert.match(text, /approval_denied: hook node: it deploys; it needs approval/);
});

claudeTest("the old decisions: approve and block with a reason", python, {
  hooks: {
    PreToolUse: on(
      "*",
      `python3 -c 'import json,sys; d=json.load(sys.stdin); print(json.dumps({"decision":"block","reason":"no rm"} if "rm " in json.dumps(d["tool_input"]) else {"decision":"approve"}))'`,
    ),
    PostToolUse: on(
      "Bash",
      `python3 -c 'import json,sys; d=json.load(sys.stdin); print(json.dumps({"decision":"block","reason":"the output has a TODO"})) if "TODO" in d["tool_response"]["stdout"] else None'`,
    ),
  },
  scripts: {},
  steps: [bash("rm -rf x"), bash("echo TODO later"), bash("echo done"), say("ok")],
}, ({ outputs }) => {
  assert.match(outputs[0]!, /^approval_denied: hook python3: no rm$/);
  assert.match(outputs[1]!, /TODO later[^]*\[hook python3: the output has a TODO\]$/);
  assert.doesNotMatch(outputs[2]!, /hook/);
});

claudeTest("a linter after edits: status 2 tells the model, behind the result", jq, {
  hooks: { PostToolUse: on("Edit|MultiEdit|Write", "~/.claude/hooks/lint.sh") },
  scripts: {
    "lint.sh": `#!/usr/bin/env bash
file=$(jq -r '.tool_input.file_path')
success=$(jq -r '.tool_response.success' <<<"{}" 2>/dev/null || true)
if grep -n 'console.log' "$file" >/tmp/lint.$$ ; then
  { echo "console.log left in $(basename "$file"):"; cat /tmp/lint.$$; } >&2
  rm -f /tmp/lint.$$
  exit 2
fi
rm -f /tmp/lint.$$
`,
  },
  steps: [
    call("write", { path: "a.js", content: "console.log(1)\n" }),
    call("write", { path: "b.js", content: "let b\n" }),
    say("ok"),
  ],
}, ({ outputs, records }) => {
  assert.match(outputs[0]!, /\[hook lint\.sh: console\.log left in a\.js:\n1:console\.log\(1\)\]$/);
  assert.equal(only(records, "tool_result")[0]!.is_error, false);
  assert.doesNotMatch(outputs[1]!, /hook/);
});

claudeTest("a logger with jq in the settings, and one that appends JSON lines", jq, {
  hooks: {
    PreToolUse: on(
      "Bash",
      `jq -r '"\\(.tool_input.command) - \\(.tool_input.description // "No description")"' >> ~/.claude/bash-command-log.txt`,
    ),
    PostToolUse: on(
      "",
      `jq -c '{t: .tool_name, r: (.tool_response | type), s: .session_id}' >> "$CLAUDE_PROJECT_DIR/log.jsonl"`,
    ),
    SessionEnd: [{ hooks: [command(`jq -r .reason > ~/.claude/ended`)] }],
    Notification: on("", "notify-send 'Claude Code' 'Awaiting your input'"),
  },
  scripts: {},
  files: { "W/a.txt": "x\n" },
  steps: [callAll(["bash", { command: "echo 'a b'" }], ["read", { path: "a.txt" }]), say("ok")],
}, async ({ place }) => {
  assert.equal(
    await Deno.readTextFile(join(place.home, ".claude/bash-command-log.txt")),
    "echo 'a b' - No description\n",
  );
  const logged = (await Deno.readTextFile(join(place.workspace, "log.jsonl"))).trim().split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(logged.map(({ t, r }) => [t, r]).sort(), [["Bash", "object"], [
    "Read",
    "object",
  ]]);
  assert.equal(await Deno.readTextFile(join(place.home, ".claude/ended")), "other\n");
});

claudeTest("context at the start and with a prompt: plain text and additionalContext", python, {
  hooks: {
    SessionStart: [
      { matcher: "startup|resume", hooks: [command("~/.claude/hooks/start.sh")] },
      { matcher: "compact", hooks: [command("echo never")] },
    ],
    UserPromptSubmit: [{ hooks: [command("python3 ~/.claude/hooks/prompt.py")] }],
  },
  scripts: {
    "start.sh": `#!/bin/sh
echo "## Branch"
echo main
[ -n "$CLAUDE_ENV_FILE" ] && echo 'export X=1' >> "$CLAUDE_ENV_FILE"
exit 0
`,
    "prompt.py": `import json, sys, re
data = json.load(sys.stdin)
if re.search(r"(?i)\\b(password|secret|key)\\s*[:=]", data["prompt"]):
    print(json.dumps({"decision": "block", "reason": "Security policy violation"}))
    sys.exit(0)
print(json.dumps({"hookSpecificOutput": {"hookEventName": data["hook_event_name"], "additionalContext": "Current time: noon"}}))
`,
  },
  steps: [say("ok")],
}, async ({ place, code }) => {
  assert.equal(code, 0);
  const folder = join(place.home, ".nimlet/sessions");
  let text = "";
  for await (const { name } of Deno.readDir(folder)) {
    text += await Deno.readTextFile(join(folder, name));
  }
  assert.match(text, /\[hook start\.sh: ## Branch\\nmain\]/);
  assert.match(text, /\[hook python3: Current time: noon\]/);
  assert.doesNotMatch(text, /never/);
});

claudeTest("a prompt that a hook blocks with decision and reason", python, {
  hooks: {
    UserPromptSubmit: [{
      hooks: [
        command(
          `python3 -c 'import json,sys; json.load(sys.stdin); print(json.dumps({"decision":"block","reason":"policy"}))'`,
        ),
      ],
    }],
  },
  scripts: {},
  steps: [say("never")],
  prompt: "password: x",
}, ({ code, records }) => {
  assert.equal(code, 1);
  assert.match(JSON.stringify(only(records, "run_end")[0]!.error), /hook python3: policy/);
});

claudeTest("a Stop hook that respects stop_hook_active, and one that stops with continue: false", [
  jq,
  python,
], {
  hooks: {
    Stop: [{ hooks: [command("~/.claude/hooks/stop.sh")] }],
    PostToolUse: on(
      "Bash",
      `python3 -c 'import json,sys; d=json.load(sys.stdin); print(json.dumps({"continue": "halt" not in d["tool_input"]["command"], "stopReason": "halted", "systemMessage": "seen"}))'`,
    ),
  },
  scripts: {
    "stop.sh": `#!/bin/bash
input=$(cat)
if [ "$(echo "$input" | jq -r '.stop_hook_active')" = "true" ]; then exit 0; fi
echo '{"decision": "block", "reason": "Run the tests before you stop."}'
`,
  },
  steps: [say("I am done."), bash("echo tests"), bash("echo halt"), say("never")],
}, ({ code, records, outputs, told }) => {
  const texts = only(records, "message").map(({ content }) => content);
  assert.ok(texts.includes("[hook stop.sh: Run the tests before you stop.]"));
  assert.match(outputs[0]!, /tests/);
  assert.match(told, /hook python3: seen/);
  assert.equal(code, 1);
  assert.match(JSON.stringify(only(records, "run_end")[0]!.error), /hook python3: halted/);
});

claudeTest("names of servers' tools, an expression, and what only Claude Code has", node, {
  hooks: {
    PreToolUse: [
      ...on("mcp__github__.*|mcp__memory", `node -e 'process.exit(2)'`),
      ...on("Task|WebFetch|NotebookEdit", "exit 2"),
      ...on(
        "^(Bash|Write)$",
        `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const i=JSON.parse(s);require("fs").appendFileSync("seen",i.tool_name+"\\n")})'`,
      ),
    ],
    SubagentStop: [{ hooks: [command("exit 2")] }],
    PermissionRequest: on("*", "exit 2"),
  },
  scripts: {},
  steps: [
    bash("true"),
    call("write", { path: "a", content: "x" }),
    call("glob", { pattern: "*" }),
    say("ok"),
  ],
}, async ({ place, outputs, code }) => {
  assert.equal(code, 0);
  assert.ok(outputs.every((output) => !/denied/.test(output)));
  assert.equal(await Deno.readTextFile(join(place.workspace, "seen")), "Bash\nWrite\n");
});
