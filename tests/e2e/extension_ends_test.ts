/** How extensions end: with the program, however that ends, and with all that they have started. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import {
  type ExtensionPlace,
  type GivenExtension,
  type Line,
  withExtensions,
} from "../support/extensions.ts";
import { type RunningProgram, startProgram, startWithInput } from "../support/program.ts";
import { linux, posix, testWhere } from "../support/test_where.ts";
import { isAlive, until } from "../support/until.ts";

const tool = { name: "t", description: "T.", input_schema: { type: "object" } };

/** Has a child, and a grandchild in a session of its own, and never answers the call of its tool. */
const family: GivenExtension = {
  register: { tools: [tool] },
  first: `const child = new Deno.Command("sh", {
      args: ["-c", "setsid sleep 300 & echo $! > " + folder + "/grandchild; exec sleep 300"],
      stdout: "null", stderr: "null", stdin: "null",
    }).spawn();
    note("children", String(child.pid));`,
  on: `if (m.type === "tool") {
    setInterval(() => say({ type: "tool_update", id: m.id, content: "." }), 100);
    return;
  }`,
};

async function processesOf({ starts, folder }: ExtensionPlace): Promise<number[]> {
  const read = async (file: string) =>
    (await Deno.readTextFile(join(folder(), file)).catch(() => "")).trim().split("\n")
      .filter((line) => line !== "").map(Number);
  return [...await starts(), ...await read("children"), ...await read("grandchild")];
}

async function assertAllGone(place: ExtensionPlace): Promise<void> {
  const pids = await processesOf(place);
  assert.ok(pids.length >= 3, `expected a child and a grandchild, found ${pids}`);
  await until(() => !pids.some(isAlive), `the end of ${pids.filter(isAlive)}`, 3000);
}

const hasCall = (lines: Line[]) => lines.some(({ type }) => type === "tool");

/** Waits for the call, ends the program, and gives its exit status. */
function whileCalled(end: (program: RunningProgram) => void | Promise<void>) {
  return async ({ model, workspace, home, heard }: ExtensionPlace) => {
    const program = startProgram([...model, "-p", "go", "--mode", "json"], {
      cwd: workspace,
      env: { HOME: home },
    });
    await until(async () => hasCall(await heard()), "the call");
    await end(program);
    return (await program.ended).code;
  };
}

for (
  const { how, steps = [call("t", {}), say("ok")], end, code } of [
    {
      how: "an answer",
      steps: [call("bash", { command: "sleep 0.5" }), say("ok")],
      end: async ({ run }: ExtensionPlace) => (await run("-p", "go")).code,
      code: 0,
    },
    {
      how: "a failure of the model",
      steps: [call("bash", { command: "sleep 0.5" }), [{
        type: "error",
        status: 400,
        message: "no",
      }]],
      end: async ({ run }: ExtensionPlace) => (await run("-p", "go")).code,
      code: 1,
    },
    {
      how: "a time limit",
      end: async ({ run }: ExtensionPlace) => (await run("-p", "go", "--timeout", "2")).code,
      code: 3,
    },
    ...(["SIGTERM", "SIGINT", "SIGHUP"] as const).map((signal, index) => ({
      how: signal,
      end: whileCalled((program) => program.kill(signal)),
      code: [143, 130, 129][index],
    })),
    {
      how: "a reader that has gone",
      end: whileCalled((program) => program.closeOutput()),
      code: undefined,
    },
    {
      how: "a refused command line",
      // all tools must be known before that can be told
      end: async ({ run }: ExtensionPlace) =>
        (await run("-p", "go", "--tools", "read,no_such")).code,
      code: 2,
    },
  ] as {
    how: string;
    steps?: Parameters<typeof withExtensions>[1];
    end: (place: ExtensionPlace) => Promise<number>;
    code: number | undefined;
  }[]
) {
  testWhere(
    linux,
    `nothing is left of an extension and what it has started after ${how}`,
    () =>
      withExtensions(family, steps, async (place) => {
        const status = await end(place);
        if (code !== undefined) assert.equal(status, code);
        await assertAllGone(place);
      }),
  );
}

testWhere(
  linux,
  "nothing is left of an extension after the end of stdin in RPC mode",
  () =>
    withExtensions(family, [call("t", {}), say("ok")], async (place) => {
      const { model, workspace, home, heard } = place;
      const program = startWithInput([...model, "--mode", "rpc"], {
        cwd: workspace,
        env: { HOME: home },
      });
      await program.write('{"id":"1","type":"prompt","message":"go"}\n');
      await until(async () => hasCall(await heard()), "the call");
      await program.closeInput();
      await program.ended;
      await assertAllGone(place);
    }),
);

for (
  const { how, first = "", on = "", waits = false } of [
    { how: "before it registers", first: "await sleep(60000);" },
    {
      how: "with the beginning of the session",
      on: `if (m.event === "session_start") return;`,
    },
    { how: "with the end of the turn", on: `if (m.event === "turn_end") return;`, waits: true },
    {
      how: "with the end of the session",
      on: `if (m.event === "session_end") return;`,
      waits: true,
    },
  ] as { how: string; first?: string; on?: string; waits?: boolean }[]
) {
  testWhere(
    linux,
    `a signal ends the program also where an extension is waited for ${how}`,
    () =>
      withExtensions(
        { first, register: { events: ["session_start", "turn_end", "session_end"] }, on },
        [call("bash", { command: "sleep 300" }), say("ok")],
        async ({ model, workspace, home, starts, heard }) => {
          const program = startProgram([...model, "-p", "go", "--mode", "json"], {
            cwd: workspace,
            env: { HOME: home },
          });
          await until(async () => (await starts()).length > 0, "its start");
          if (waits) await program.waitFor((line) => line.includes('"tool_call"'));
          const startMs = performance.now();
          program.kill("SIGTERM");
          assert.equal((await program.ended).code, 143);
          // 1.5 s for the session's end, then the ends of programs
          assert.ok(performance.now() - startMs < 5000, `${performance.now() - startMs} ms`);
          assert.ok(!(await starts()).some(isAlive));
          const ends = (await heard()).filter(({ event }) => event === "turn_end");
          assert.equal(ends.length, waits ? 1 : 0);
          if (waits) assert.equal(ends[0]!.payload.interrupted, true);
        },
      ),
  );
}

testWhere(
  linux,
  "what an extension has started ends with it when it is killed",
  () =>
    withExtensions(
      family,
      [
        call("bash", {
          command: 'sleep 0.5; kill -9 $(cat "$HOME/.nimlet/extensions/x/starts"); sleep 3',
        }),
        say("ok"),
      ],
      async (place) => {
        const ended = place.run("-p", "go");
        await until(async () => (await processesOf(place)).length >= 3, "its processes");
        const pids = await processesOf(place);
        await until(() => !pids.some(isAlive), "their end while the program goes on");
        assert.equal((await ended).code, 0);
      },
    ),
);

testWhere(
  linux,
  "an extension sees the end of its stdin when the program is killed",
  () =>
    withExtensions(
      { ...family, first: "" },
      // a command that was started later must not hold that pipe
      [call("bash", { command: "echo $$ > pid; sleep 300" }), say("ok")],
      async ({ model, workspace, home, heard, starts }) => {
        const program = startProgram([...model, "-p", "go"], {
          cwd: workspace,
          env: { HOME: home },
        });
        const file = join(workspace, "pid");
        const pid = async () => Number(await Deno.readTextFile(file).catch(() => ""));
        await until(async () => await pid() > 0, "the command");
        program.kill("SIGKILL");
        await program.ended;
        try {
          await until(
            async () => (await heard()).some((line) => line as unknown === "end of stdin"),
            "the end of its stdin",
          );
          const pids = await starts();
          await until(() => !pids.some(isAlive), "its own end");
        } finally {
          Deno.kill(-await pid(), "SIGKILL");
        }
      },
    ),
);

testWhere(
  linux,
  "deaf extensions hold the end up for no longer than one does",
  () =>
    withExtensions(
      ["a", "b", "c"].map((name) => ({
        name,
        register: { events: ["session_end"] },
        first: `Deno.addSignalListener("SIGTERM", () => {});`,
        on: `if (m.event === "session_end") { await sleep(60000); return; }
      if (m.type === "shutdown") await sleep(60000);`,
      })),
      [call("bash", { command: "sleep 0.5" }), say("ok")],
      async ({ model, workspace, home, heard, starts }) => {
        const program = startProgram([...model, "-p", "go", "--mode", "json"], {
          cwd: workspace,
          env: { HOME: home },
        });
        await program.waitFor((line) => line.includes('"run_end"'));
        const startMs = performance.now();
        assert.equal((await program.ended).code, 0);
        const ms = performance.now() - startMs;
        // a second for all to answer, 0.3 and 1 to end
        assert.ok(ms < 4000, `${ms} ms`);
        for (const name of ["a", "b", "c"]) {
          assert.ok((await heard(name)).some(({ event }) => event === "session_end"), name);
          assert.ok(!(await starts(name)).some(isAlive));
        }
      },
    ),
);

const closing = `#!/bin/sh
cd "$NIMLET_EXTENSION_DIR" && echo $$ >> starts
read -r line
echo '${JSON.stringify({ type: "register", tools: [tool] })}'
read -r line
[ "$(wc -l < starts)" -eq 1 ] && exec sleep 300 >&-
id=\${line##*\\"id\\":\\"}
echo '{"type":"response","content":[{"type":"text","text":"second"}],"id":"'"\${id%%\\"*}"'"}'
read -r line
`;

testWhere(
  posix,
  "an extension that closes its output is started anew, and its call fails at once",
  () =>
    withExtensions(
      { command: ["./x.sh"] },
      [call("t", {}), call("t", {}), say("ok")],
      async ({ run, starts, folder }) => {
        await Deno.writeTextFile(join(folder(), "x.sh"), closing, { mode: 0o755 });
        const { outputs, code } = await run("-p", "go", "--mode", "json");
        assert.equal(code, 0);
        assert.match(
          outputs[0]!,
          /^tool_failed: x closed its standard output during the call; whether it took effect is not known/,
        );
        assert.equal(outputs[1], "second");
        assert.equal((await starts()).length, 2);
      },
    ),
);
