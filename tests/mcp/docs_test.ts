import assert from "node:assert/strict";
import { checkConfig } from "../../src/config/check.ts";
import type { McpEntry } from "../../src/config/mcp_entries.ts";
import { mcpServerList } from "../../src/config/mcp_servers.ts";
import { mcpServerTable } from "../../src/config/mcp_table.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { realHost } from "../../src/host/real_host.ts";
import { withMcp } from "../support/mcp.ts";
import { startMcpHttp } from "../support/mcp_http.ts";
import { npmPackages } from "../support/npm_packages.ts";
import { installed, posix, testWhere } from "../support/test_where.ts";

const version = "2026.8.31";
const packages = npmPackages(
  "mcp-servers",
  ["everything", "filesystem", "memory", "sequential-thinking"]
    .map((name) => `@modelcontextprotocol/server-${name}@${version}`),
);

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

/** Beside `npx`, whose packages are installed already, `gh`, which prints a token. */
async function stubs(folder: string): Promise<string> {
  const server = (name: string) =>
    packages.path(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const npx = [
    "#!/bin/sh",
    'case "$1 $2" in',
    ...["filesystem", "memory"].map((name) =>
      `"-y @modelcontextprotocol/server-${name}@${version}") shift 2; exec node ${
        server(name)
      } "$@";;`
    ),
    "esac",
    'echo "no such package: $*" >&2; exit 1',
  ];
  const gh = ["#!/bin/sh", '[ "$*" = "auth token" ] && echo t1'];
  await Deno.mkdir(folder);
  for (const [name, lines] of [["npx", npx], ["gh", gh]] as const) {
    await Deno.writeTextFile(`${folder}/${name}`, lines.join("\n"), { mode: 0o755 });
  }
  return `${folder}:${Deno.env.get("PATH")}`;
}

testWhere(
  [installed("node"), posix, packages.need],
  "the set-ups of the docs run as they are written",
  () =>
    withMcp(async ({ servers, program, root, workspace }) => {
      const PATH = await stubs(`${root}/bin`), MEMORY_FILE = `${root}/memory.jsonl`;
      const web = startMcpHttp((_message, { headers }) =>
        headers.authorization === "Bearer t1" ? undefined : { status: 401 }
      );
      const call = async (name: string, input: JsonObject, args: string[] = []) => {
        const { stdout, stderr } = await program(
          ["--mode", "json", ...args, "--call-tool", name, JSON.stringify(input)],
          { PATH, MEMORY_FILE },
        );
        assert.notEqual(stdout, "", stderr);
        return String(JSON.parse(stdout).output);
      };
      try {
        const configs = blocks("json").map((block) => JSON.parse(block));
        const [files, github, memory] = configs.filter(({ mcp }) => mcp !== undefined)
          .map(({ mcp }) => mcp.servers);
        await servers(files);
        assert.match(
          await call("mcp__files__list_directory", { path: "/tmp" }),
          /^\[(?:DIR|FILE)\] /,
        );
        // the one thing that is another here
        await servers({
          github: { ...github.github, url: web.url, tools: [...github.github.tools, "echo"] },
        });
        assert.equal(await call("mcp__github__echo", { text: "x" }), "Echo: x");
        const entities = [{ name: "a", entityType: "b", observations: ["from the docs"] }];
        await servers(memory);
        await call("mcp__memory__create_entities", { entities });
        assert.match(await Deno.readTextFile(MEMORY_FILE), /from the docs/);
        const [shared] = configs.filter(({ mcpServers }) => mcpServers !== undefined);
        await servers({});
        await Deno.writeTextFile(`${workspace}/.mcp.json`, JSON.stringify(shared));
        assert.match(
          await call("mcp__memory__read_graph", {}, ["--approve"]),
          /from the docs/,
        );
      } finally {
        await web.close();
      }
    }),
);

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
