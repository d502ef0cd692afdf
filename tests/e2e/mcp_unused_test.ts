/** Where no server is named nothing of MCP is loaded, read or written. */
import assert from "node:assert/strict";
import { loadedFiles, recordedSource } from "../support/loaded_files.ts";
import { type McpGround, withMcp } from "../support/mcp.ts";
import { testWhere } from "../support/test_where.ts";

/** Runs a prompt; gives the files of the program that were loaded, relative to `src`. */
async function loaded({ run, root }: McpGround, args: string[] = []): Promise<Set<string>> {
  const folder = await Deno.makeTempDir({ dir: root });
  const { code, stderr } = await run([], args, { DENO_COVERAGE_DIR: folder });
  assert.equal(code, 0, stderr);
  const files = loadedFiles(folder);
  assert.ok(files.includes("app/mcp.ts"), "what runs is recorded");
  return new Set(files);
}

const ofServers = (files: Set<string>) =>
  [...files].filter((file) => file.startsWith("mcp/") || /^config\/mcp_(?:servers|pro)/.test(file));

testWhere(
  recordedSource,
  "without a server no code for servers is loaded, and no list is read or kept",
  () =>
    withMcp(async (ground) => {
      const { servers, fake, home, workspace } = ground;
      await servers({});
      assert.deepEqual(ofServers(await loaded(ground)), []);
      await assert.rejects(Deno.stat(`${home}/.nimlet/cache/mcp_tools.json`), Deno.errors.NotFound);
      // a file that is not trusted, or not to be read, loads nothing either
      await Deno.writeTextFile(`${workspace}/.mcp.json`, '{"mcpServers":{"a":{"command":"x"}}}');
      assert.deepEqual(ofServers(await loaded(ground)), []);
      const unread = ["--approve", "--set", "mcp.project_file=false"];
      assert.deepEqual(ofServers(await loaded(ground, unread)), []);
      await Deno.remove(`${workspace}/.mcp.json`);
      await servers({ one: fake("few") });
      const having = ofServers(await loaded(ground));
      assert.ok(having.includes("mcp/pool.ts") && having.includes("mcp/stdio_transport.ts"));
    }),
);
