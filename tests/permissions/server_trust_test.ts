/** The check that trust covers what names a project's MCP servers, and the files that these run. */
import assert from "node:assert/strict";
import { serverLines } from "../../src/permissions/server_commands.ts";
import { judgeTrust, recordProject, setTrust } from "../../src/permissions/trust.ts";
import { projectTrust } from "../../src/permissions/project_trust.ts";
import { put, withProject } from "./projects.ts";

const shared = JSON.stringify({
  mcpServers: {
    db: { command: "node", args: ["server/db.js", "${TOKEN}"], env: { PLUGIN: "./plug.js" } },
    web: {
      type: "http",
      url: "https://x.example/mcp",
      headers: { Authorization: "Bearer ${TOKEN}" },
    },
  },
});
const own = JSON.stringify({
  mcp: { servers: { py: { command: ["python3", "-m", "srv"], cwd: "py" }, odd: 7 } },
});

Deno.test("trust ends with a change of .mcp.json, and of a file that one of its servers runs", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await put(workspace, ".mcp.json", shared);
    assert.equal((await judgeTrust(place)).state, "unknown");
    assert.deepEqual((await judgeTrust(place)).parts, [".mcp.json"]);
    for (const file of ["server/db.js", "plug.js", "other.js", ".mcp.json"]) {
      await put(workspace, ".mcp.json", shared);
      await put(workspace, file, file === ".mcp.json" ? shared : "1\n");
      await setTrust(place, true);
      const trust = projectTrust(place, () => recordProject(place));
      await trust.ready();
      assert.deepEqual(await trust.serverChanges(), []);
      await put(workspace, file, file === ".mcp.json" ? "{}" : "2\n");
      const changes = file === "other.js" ? [] : [".mcp.json was changed"];
      assert.deepEqual((await judgeTrust(place)).changes, changes, file);
      assert.deepEqual(await trust.serverChanges(), changes, file);
      assert.deepEqual(await trust.toolChanges(), [], file);
    }
  }));

Deno.test("trust ends with a change of what a server of .nimlet/config.json runs in its own folder", () =>
  withProject(async (place) => {
    const { workspace } = place;
    await put(workspace, ".nimlet/config.json", own);
    await put(workspace, "py/srv.py", "1\n");
    await setTrust(place, true);
    assert.equal((await judgeTrust(place)).state, "trusted");
    await put(workspace, "py/srv.py", "2\n");
    assert.deepEqual((await judgeTrust(place)).changes, [".nimlet/config.json was changed"]);
  }));

Deno.test("the question about trust names each server with all that it runs", () =>
  withProject(async ({ workspace }) => {
    assert.deepEqual(await serverLines(workspace), []);
    await put(workspace, ".mcp.json", shared);
    await put(workspace, ".nimlet/config.json", own);
    assert.deepEqual(await serverLines(workspace), [
      "mcp server db: node server/db.js ${TOKEN} (PLUGIN=./plug.js)",
      "mcp server web: https://x.example/mcp (Authorization: Bearer ${TOKEN})",
      "mcp server py: python3 -m srv (in py)",
    ]);
    await put(workspace, ".mcp.json", "no json");
    assert.deepEqual(await serverLines(workspace), ["mcp server py: python3 -m srv (in py)"]);
  }));
