/** Where no server is named nothing of MCP is loaded, read or written. */
import assert from "node:assert/strict";
import { type McpGround, withMcp } from "../support/mcp.ts";
import { type Need, testWhere } from "../support/test_where.ts";

const source: Need = {
  met: !Deno.env.get("NIMLET_BIN"),
  reason: "needs the source: the files of a binary are one script",
};

/** Older runtimes keep such a record for their own tests alone. */
const record: Need = { met: keepsRecord(), reason: "needs a runtime that records what it runs" };

function keepsRecord(): boolean {
  const folder = Deno.makeTempDirSync({ prefix: "nimlet-record-" });
  try {
    const script = `${folder}.js`;
    Deno.writeTextFileSync(script, "Deno.exit(0);");
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", script],
      env: { DENO_COVERAGE_DIR: folder },
      stdout: "null",
      stderr: "null",
    }).outputSync();
    Deno.removeSync(script);
    return [...Deno.readDirSync(folder)].length > 0;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Runs a prompt; gives the files of the program that were loaded, relative to `src`. */
async function loaded({ run, root }: McpGround, args: string[] = []): Promise<Set<string>> {
  const folder = await Deno.makeTempDir({ dir: root });
  const { code, stderr } = await run([], args, { DENO_COVERAGE_DIR: folder });
  assert.equal(code, 0, stderr);
  const files = [...Deno.readDirSync(folder)].map(({ name }) => {
    const { url } = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)) as { url: string };
    return url.split("/src/").at(-1)!;
  });
  assert.ok(files.includes("app/mcp.ts"), "what runs is recorded");
  return new Set(files);
}

const ofServers = (files: Set<string>) =>
  [...files].filter((file) => file.startsWith("mcp/") || /^config\/mcp_(?:servers|pro)/.test(file));

testWhere(
  [source, record],
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
