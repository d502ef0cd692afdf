import assert from "node:assert/strict";
import { checkConfig } from "../../src/config/check.ts";
import type { McpEntry } from "../../src/config/mcp_entries.ts";
import { mcpServerList } from "../../src/config/mcp_servers.ts";
import { mcpServerTable } from "../../src/config/mcp_table.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { realHost } from "../../src/host/real_host.ts";
import { withMcp } from "../support/mcp.ts";
import { installed, testWhere } from "../support/test_where.ts";

const text = await Deno.readTextFile(new URL("../../docs/mcp.md", import.meta.url));
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, block]) =>
    block!
  );

Deno.test("the set-ups of the docs are settings without a fault", () => {
  const setUps = blocks("json").map((block) => JSON.parse(block) as JsonObject)
    .filter((config) => config.mcp !== undefined);
  assert.equal(setUps.length, 3);
  for (const config of setUps) {
    const { problem, unknown } = checkConfig(config, []);
    assert.deepEqual([problem, unknown], [undefined, []]);
    const { servers } = config.mcp as { servers: Record<string, JsonObject> };
    const entries = Object.entries(servers).map(([name, values]): McpEntry => ({
      name,
      scope: "user",
      file: "/h/config.json",
      form: "config",
      values,
    }));
    const warnings: string[] = [];
    const place = { workspace: "/w", env: realHost().env, hiddenVariables: [] };
    const list = mcpServerList(entries, place, warnings);
    assert.deepEqual([list.servers.length, list.faults, warnings], [1, [], []]);
  }
});

testWhere(
  installed("python3"),
  "the server of the docs has fifteen lines at most, and adds",
  () =>
    withMcp(async ({ servers, call, root }) => {
      const [program, ...more] = blocks("python");
      assert.deepEqual(more, []);
      assert.ok(program!.trim().split("\n").length <= 15);
      await Deno.writeTextFile(`${root}/adder.py`, program!);
      await servers({ adder: { command: ["python3", `${root}/adder.py`] } });
      assert.equal((await call("mcp__adder__add", { a: 2, b: 40 })).output, "42");
      assert.match(
        (await call("mcp__adder__add", { a: 2 })).output,
        /^invalid_arguments: b: required/,
      );
    }),
);

Deno.test("the docs of the settings name every key", () => {
  for (const key of Object.keys(mcpServerTable)) {
    assert.ok(text.includes(`\`${key}`) || text.includes(`"${key}"`), key);
  }
});
