/** The servers that the protocol's authors publish, from npm: list, call, cancel, progress, pictures, ends. */
import assert from "node:assert/strict";
import { withMcp } from "../support/mcp.ts";
import { npmPackages } from "../support/npm_packages.ts";
import type { RunningProgram } from "../support/program.ts";
import { only } from "../support/records.ts";
import { installed, linux, testWhere } from "../support/test_where.ts";
import { isAlive, marked, until } from "../support/until.ts";

const version = "2026.8.31";
const names = ["everything", "filesystem", "memory", "sequential-thinking"];
const packages = npmPackages(
  "mcp-servers",
  names.map((name) => `@modelcontextprotocol/server-${name}@${version}`),
);
const needs = [installed("node"), packages.need];

const server = (name: string, ...args: string[]) => ({
  command: ["node", packages.path(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

testWhere(
  needs,
  "server-everything over stdio: tools, pictures, progress, big results, an end",
  () =>
    withMcp(async ({ servers, run, start }) => {
      await servers({ all: server("everything") });
      const { outputs, offered, records, diagnostics } = await run([
        ["mcp__all__echo", { message: "hi" }],
        ["mcp__all__get-sum", { a: 2, b: 3 }],
        ["mcp__all__get-tiny-image", {}],
        ["mcp__all__get-structured-content", { location: "New York" }],
        ["mcp__all__trigger-long-running-operation", { duration: 1, steps: 4 }],
        ["mcp__all__get-sum", { a: "two" }],
      ]);
      assert.deepEqual(diagnostics, []);
      assert.ok(offered[0]!.length >= 10, offered[0]!.join());
      assert.equal(outputs[0], "Echo: hi");
      assert.match(outputs[1]!, /5/);
      assert.match(outputs[2]!, /image/);
      assert.doesNotMatch(outputs[2]!, /iVBOR/);
      assert.match(outputs[3]!, /temperature/);
      assert.match(outputs[4]!, /completed/i);
      assert.ok(
        only(records, "tool_output_delta").some(({ delta }) => /^\d\/4/.test(String(delta))),
      );
      assert.match(outputs[5]!, /^invalid_arguments: /);
      const program = await start([["mcp__all__trigger-long-running-operation", {
        duration: 60,
        steps: 60,
      }]]);
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      program.kill("SIGINT");
      const { code, stdout } = await program.ended;
      assert.equal(code, 130);
      assert.match(stdout, /INTERRUPTED \(all was told to stop\)/);
    }),
);

testWhere(
  needs,
  "server-everything over HTTP: session, tools, progress",
  () =>
    withMcp(async ({ servers, run }) => {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const { port } = listener.addr;
      listener.close();
      const { command: [file, ...args] } = server("everything", "streamableHttp");
      const child = new Deno.Command(file!, {
        args,
        env: { PORT: String(port) },
        stdout: "null",
        stderr: "null",
      }).spawn();
      try {
        const url = `http://127.0.0.1:${port}/mcp`;
        await until(
          () =>
            fetch(url).then(
              (answer) => answer.body?.cancel().then(() => true) ?? true,
              () => false,
            ),
          "it listens",
        );
        await servers({ web: { url } });
        const { outputs, records, diagnostics, offered } = await run([
          ["mcp__web__echo", { message: "hi" }],
          ["mcp__web__trigger-long-running-operation", { duration: 1, steps: 2 }],
        ]);
        assert.deepEqual(diagnostics, []);
        assert.ok(offered[0]!.length >= 10);
        assert.equal(outputs[0], "Echo: hi");
        assert.match(outputs[1]!, /completed/i);
        assert.ok(only(records, "tool_output_delta").length > 0);
        // the list is remembered: the second run asks for it with its first call
        assert.equal(
          (await run([["mcp__web__echo", { message: "again" }]])).outputs[0],
          "Echo: again",
        );
      } finally {
        child.kill("SIGKILL");
        await child.status;
      }
    }),
);

testWhere(
  [...needs, linux],
  "server-filesystem, server-memory and server-sequential-thinking, side by side",
  () =>
    withMcp(async ({ servers, run, workspace, root }) => {
      await servers({
        files: server("filesystem", workspace),
        memory: { ...server("memory"), env: { MEMORY_FILE_PATH: `${root}/memory.json` } },
        thinking: server("sequential-thinking"),
      });
      await Deno.writeTextFile(`${workspace}/big.txt`, "0123456789\n".repeat(30_000));
      const { outputs, diagnostics } = await run([
        ["mcp__files__write_file", { path: `${workspace}/a.txt`, content: "é\n" }],
        ["mcp__files__read_text_file", { path: `${workspace}/big.txt` }],
        ["mcp__files__read_text_file", { path: "/etc/passwd" }],
        ["mcp__memory__create_entities", {
          entities: [{ name: "nimlet", entityType: "program", observations: ["is small"] }],
        }],
        ["mcp__memory__read_graph", {}],
        ["mcp__thinking__sequentialthinking", {
          thought: "one",
          nextThoughtNeeded: false,
          thoughtNumber: 1,
          totalThoughts: 1,
        }],
      ]);
      assert.deepEqual(diagnostics, []);
      assert.equal(await Deno.readTextFile(`${workspace}/a.txt`), "é\n");
      assert.match(
        outputs[1]!,
        /^0123456789\n[^]*\[\.\.\. \d+ bytes omitted \.\.\.\][^]*0123456789\n?$/,
      );
      assert.match(outputs[2]!, /denied/i);
      assert.match(outputs[4]!, /"is small"/);
      assert.match(outputs[5]!, /thoughtHistoryLength/);
      const left = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) =>
        pid > 0
      )
        .filter((pid) => isAlive(pid) && commandOf(pid).includes(workspace));
      assert.deepEqual(left, []);
    }),
);

const ends: readonly [string, (program: RunningProgram, pids: readonly number[]) => void][] = [
  ["SIGTERM", (program) => program.kill("SIGTERM")],
  ["SIGINT", (program) => program.kill("SIGINT")],
  ["a closed stdout", (program) => void program.closeOutput()],
  ["a kill of npx", (_program, [npx]) => Deno.kill(npx!, "SIGKILL")],
  ["a kill of nimlet", (program) => program.kill("SIGKILL")],
];

for (const [name, end] of ends) {
  testWhere(
    [...needs, installed("npx"), linux],
    `npx and what it starts: after ${name}, nothing is left`,
    () =>
      withMcp(async ({ servers, start, root }) => {
        const mark = `NIMLET_TEST_MARK=${root}`;
        await servers({
          all: {
            command: ["npx", "--offline", "mcp-server-everything"],
            cwd: packages.path(".."),
            env: { NIMLET_TEST_MARK: root },
          },
        });
        const program = await start([["mcp__all__trigger-long-running-operation", {
          duration: 60,
          steps: 60,
        }]]);
        await program.waitFor((line) => line.includes('"tool_output_delta"'));
        const pids = marked(mark);
        assert.ok(pids.length >= 2, "npx starts the server as a process of its own");
        end(program, pids);
        await program.ended;
        // only where nimlet cannot see to it the servers do by themselves
        if (name === "a kill of nimlet") await until(() => marked(mark).length === 0, "their end");
        assert.deepEqual(marked(mark), []);
      }),
  );
}

function commandOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return "";
  }
}
