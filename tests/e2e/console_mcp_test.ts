import assert from "node:assert/strict";
import { call, say } from "../support/cassette.ts";
import { programEnv } from "../support/program.ts";
import { fromFileUrl } from "../support/streams.ts";
import { consoleTest, type Place, quit } from "./console_support.ts";

const fakeServer = fromFileUrl(new URL("../mcp/fake_server.mjs", import.meta.url));

async function prepare({ home }: Place): Promise<void> {
  const { DENO_DIR = "" } = programEnv(home);
  const server = (scenarios: string) => ({
    command: [Deno.execPath(), "run", "--quiet", "-A", fakeServer, scenarios],
    env: { DENO_DIR, NO_COLOR: "1", FAKE_LOG: `${home}/log`, KEY: "s3cret-env" },
  });
  const servers = {
    one: server("few,hidden_text,banner,others,logs"),
    two: server("few"),
    dead: server("early_exit"),
    loud: server("tell_all"),
  };
  await Deno.mkdir(`${home}/.nimlet`);
  await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify({ mcp: { servers } }));
}

consoleTest("/mcp lists servers, shows one, and orders them about", {
  steps: [say("hello"), say("probed"), call("mcp__two__echo", { text: "asked" }), say("end")],
  prepare,
}, async (terminal, { home }) => {
  await terminal.ready();
  await terminal.submit("hi");
  await terminal.ready();
  const list = await terminal.submit("/mcp");
  assert.match(list, /dead +failed, 0 tools .*mcp server dead: it exited with status 7/s);
  assert.match(list, /one +running, 4 tools/);
  assert.match(list, /two +running, 2 tools/);
  const one = await terminal.submit("/mcp one");
  assert.match(one, /one: running\n/);
  assert.match(one, /fake 1\.0\.0 \(2025-11-25\)/);
  assert.match(one, /hide +fine\[31m text/);
  assert.match(one, /lines of stdout that are no messages:\nFake server is ready\n\{ not json/);
  assert.match(one, /1 or more prompts, resources that it does not list: not used/);
  assert.match(one, /messages:\ninfo db: \{"text":"\\u001b\[31mhot, \(hidden\)"\}/);
  const loud = await terminal.submit("/mcp loud");
  assert.match(loud, /stderr:\n.*"KEY":"\(hidden\)"/s);
  assert.doesNotMatch(one + loud, /s3cret/);
  const doctor = await terminal.submit("/doctor test");
  assert.match(doctor, /mcp server one: fake 1\.0\.0 \(2025-11-25\), 4 tools, \d+ ms\n/);
  assert.match(doctor, /mcp server dead: it exited with status 7/);
  assert.match(await terminal.submit("/mcp nobody"), /There is no MCP server named nobody\./);
  assert.match(await terminal.submit("/mcp stop two"), /two +ended, 2 tools/);
  await terminal.type("/mcp tw");
  await terminal.press("Tab");
  await terminal.waitFor(/> \/mcp two$/);
  await terminal.press("C-c");
  await terminal.ready();
  assert.match(await terminal.submit("/mcp restart dead"), /exited with status 7/);
  await terminal.type("call it");
  await terminal.press("Enter");
  await terminal.waitFor(/mcp__two__echo wants to run/);
  await terminal.waitFor(/"text":"asked"/);
  await terminal.press("Enter");
  await terminal.ready();
  assert.match(await terminal.submit("/mcp"), /two +running, 2 tools/);
  assert.match(await Deno.readTextFile(`${home}/log`), /call echo \{"text":"asked"\}/);
  await quit(terminal);
});

consoleTest("the question about trust lists each server of the project in full", {
  steps: [say("unused")],
  async prepare({ workspace }) {
    const mcpServers = { db: { command: "npx", args: ["-y", "pg-mcp", "\u202eevil"] } };
    await Deno.writeTextFile(`${workspace}/.mcp.json`, JSON.stringify({ mcpServers }));
  },
}, async (terminal) => {
  await terminal.waitFor(/Trust this folder\?/);
  const screen = await terminal.waitFor(/mcp server db: npx -y pg-mcp \\u202eevil/);
  assert.match(String(screen), /\.mcp\.json/);
  await terminal.type("n");
  await terminal.press("Enter");
  await terminal.ready();
  await quit(terminal);
});

consoleTest("Ctrl-C goes on without a server that does not answer, and interrupts nothing", {
  steps: [say("without it"), say("again")],
  async prepare({ home }) {
    const { DENO_DIR = "" } = programEnv(home);
    const server = (scenarios: string, more = {}) => ({
      command: [Deno.execPath(), "run", "--quiet", "-A", fakeServer, scenarios],
      env: { DENO_DIR, NO_COLOR: "1" },
      ...more,
    });
    const servers = { silent: server("hang"), one: server("few") };
    await Deno.mkdir(`${home}/.nimlet`);
    await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify({ mcp: { servers } }));
  },
}, async (terminal) => {
  await terminal.ready();
  await terminal.type("hi");
  await terminal.press("Enter");
  await terminal.waitFor(/mcp: waiting for silent … \(Ctrl-C goes on without\)/);
  await terminal.press("C-c");
  await terminal.waitFor(/without it/);
  await terminal.ready();
  // it is not waited for again
  assert.match(await terminal.submit("more"), /again/);
  assert.match(await terminal.submit("/mcp"), /silent +starting, 0 tools/);
  await quit(terminal);
});
