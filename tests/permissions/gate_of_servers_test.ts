/** The gate before tools of MCP servers: which grants cover them, and what is asked about again. */
import assert from "node:assert/strict";
import type { PermissionQuestion } from "../../src/core/permission.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { type GateOptions, permissionGate } from "../../src/permissions/gate.ts";
import { sessionGrants } from "../../src/permissions/grants.ts";

const { signal } = new AbortController();

function toolOf(digest: string, scope: "global" | "project" = "global"): AnyTool {
  return {
    name: "mcp__github__create_issue",
    description: "A stub that is never run.",
    capabilities: ["write", "shell", "network"],
    input: { jsonSchema: {}, parse: () => Promise.resolve({ problems: [] }) },
    parallel: false,
    origin: { kind: "mcp", server: "github", scope, file: "/f", tool: "create_issue", hints: [] },
    grantKey: () => `tool:mcp__github__create_issue@${digest}`,
    run: () => Promise.reject(new Error("the gate runs nothing")),
  };
}

const one = toolOf("0123456789ab"), other = toolOf("ba9876543210");

function gateOf(options: Partial<GateOptions>) {
  const questions: PermissionQuestion[] = [];
  const gate = permissionGate({
    approvesEverything: () => false,
    headless: "deny",
    session: sessionGrants(),
    judge: () => Promise.reject(new Error("there is no command")),
    bounds: { workspace: "/w" },
    ...options,
  });
  return { gate, questions };
}

Deno.test("written by hand a grant holds for any definition of a tool, or for a whole server", async () => {
  for (
    const [key, allowed] of [
      ["tool:mcp__github__create_issue", true],
      ["tool:mcp__github__*", true],
      ["tool:mcp__github__create_issue@0123456789ab", true],
      ["tool:mcp__github__create_issue@ba9876543210", false],
      ["tool:mcp__github__create", false],
      ["tool:mcp__git__*", false],
      ["tool:*", false],
    ] as const
  ) {
    const { gate } = gateOf({ personal: new Set([key]) });
    assert.equal((await gate.check(one, {}, signal)).allowed, allowed, key);
  }
});

Deno.test("a tool that is described in another way is asked about again, and the question says so", async () => {
  const session = sessionGrants(), questions: PermissionQuestion[] = [];
  const { gate } = gateOf({
    session,
    ask: (question) => {
      questions.push(question);
      return Promise.resolve("session");
    },
  });
  for (const tool of [one, one, other, one]) await gate.check(tool, { a: 1 }, signal);
  assert.deepEqual(
    questions.map(({ grantKey, changed, canRemember }) => [grantKey, changed, canRemember]),
    [
      ["tool:mcp__github__create_issue@0123456789ab", undefined, true],
      ["tool:mcp__github__create_issue@ba9876543210", true, true],
    ],
  );
  assert.equal(questions[0]!.subject, '{"a":1}');
});

Deno.test("a project's server that is not what was trusted is not covered by any grant", async () => {
  const trust = {
    ready: () => Promise.resolve(),
    toolChanges: () => Promise.resolve([]),
    serverChanges: () => Promise.resolve([".mcp.json was changed"]),
  };
  const { gate } = gateOf({ trust, personal: new Set(["tool:mcp__github__*"]), headless: "allow" });
  const denied = await gate.check(toolOf("0123456789ab", "project"), {}, signal);
  assert.ok(!denied.allowed && denied.reason.includes(".mcp.json was changed"));
  assert.ok((await gate.check(one, {}, signal)).allowed);
});
