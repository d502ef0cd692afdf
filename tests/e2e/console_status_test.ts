import assert from "node:assert/strict";
import {
  callAnswer,
  type FakeProvider,
  startFakeProvider,
  textAnswer,
} from "../support/fake_provider.ts";
import { withScratch } from "../support/program.ts";
import { testWhere } from "../support/test_where.ts";
import { quit } from "./console_support.ts";
import { tmux, type TmuxTerminal, withTerminal } from "./tmux_terminal.ts";

interface Held {
  readonly provider: FakeProvider;
  readonly args: string[];
  readonly workspace: string;
  readonly home: string;
  /** Lets the answers go that wait. */
  release(): void;
}

/** A test of the program with a provider whose first answer waits. */
function heldTest(name: string, use: (held: Held) => Promise<void>) {
  testWhere(tmux, `console: ${name}`, () =>
    withScratch(async ({ workspace, home }) => {
      const { promise: before, resolve: release } = Promise.withResolvers<void>();
      const provider = startFakeProvider([
        { ...callAnswer("chat", [{ name: "bash", input: { command: waitForGo } }]), before },
        textAnswer("chat", "All is over."),
      ]);
      const args = ["--yolo", "--endpoint", provider.url, "--model", "vendor/m"];
      args.push("--set", "agent.context_window=1000");
      try {
        await use({ provider, args, workspace, home, release });
      } finally {
        release();
        await provider.close();
      }
    }));
}

const waitForGo = "while [ ! -e go ]; do sleep 0.05; done";
const summary = /\n\d+ s · 22 tokens in, 14 out · 98 % of the context left\n/;

async function work(terminal: TmuxTerminal, held: Held): Promise<string> {
  await terminal.waitFor(/(?:^|\n)waiting for m · \d s · Ctrl-C stops\s*$/);
  held.release();
  await terminal.waitFor(/\nbash while .* · \d s · Ctrl-C stops\s*$/);
  await Deno.writeTextFile(`${held.workspace}/go`, "");
  return await terminal.waitFor(summary);
}

heldTest("a status line says what is waited for, and is gone after the turn", async (held) => {
  const { args, workspace, home } = held;
  await withTerminal(args, { cwd: workspace, home }, async (terminal) => {
    await terminal.ready();
    await terminal.type("work");
    await terminal.press("Enter");
    await work(terminal, held);
    const shown = await terminal.ready();
    assert.match(
      shown,
      /> work\n● bash while .* {2}✓ .* B\nAll is over\.\n\d+ s · .* left\nyolo > ?$/,
    );
    assert.doesNotMatch(shown, /Ctrl-C stops/);
    await quit(terminal);
  });
});

heldTest("a single prompt has the status line, too", async (held) => {
  const { args, workspace, home } = held;
  await withTerminal([...args, "work"], { cwd: workspace, home }, async (terminal) => {
    await work(terminal, held);
    assert.equal(await terminal.exit(), 0);
    assert.doesNotMatch(await terminal.screen(), /Ctrl-C stops/);
  });
});

heldTest("off a terminal there is neither status nor summary", async (held) => {
  const { args, workspace, home } = held;
  const script = '"$@" >out 2>err; cat out err';
  await withTerminal([...args, "work"], { cwd: workspace, home, script }, async (terminal) => {
    await held.provider.waitFor(1);
    held.release();
    await Deno.writeTextFile(`${workspace}/go`, "");
    assert.equal(await terminal.exit(), 0);
    const all = await Deno.readTextFile(`${workspace}/out`) +
      await Deno.readTextFile(`${workspace}/err`);
    assert.match(all, /^All is over\.\n● bash .*\n/);
    // deno-lint-ignore no-control-regex -- what a terminal would obey
    assert.doesNotMatch(all, /Ctrl-C|context left|waiting|[\x00-\x09\x0b-\x1f]/);
  });
});

heldTest("a stop takes the status line away, and going on brings it back", async (held) => {
  const { args, workspace, home } = held;
  const script = `set -m; "$@"; echo "[stopped $?]"; fg`;
  await withTerminal(args, { cwd: workspace, home, script }, async (terminal) => {
    await terminal.ready();
    await terminal.type("work");
    await terminal.press("Enter");
    await terminal.waitFor(/(?:^|\n)waiting for m · \d s · Ctrl-C stops\s*$/);
    await terminal.press("C-z");
    const stopped = await terminal.waitFor(/\[stopped \d+\]/);
    assert.doesNotMatch(stopped, /Ctrl-C stops[^]*\[stopped/);
    await work(terminal, held);
    await terminal.ready();
    await quit(terminal);
  });
});

testWhere(
  tmux,
  "console: a call that the model still writes is seen to grow",
  () =>
    withScratch(async ({ workspace, home }) => {
      const piece = (text: string) =>
        `data: ${
          JSON.stringify({
            choices: [{
              index: 0,
              delta: {
                tool_calls: [{
                  index: 0,
                  id: "c1",
                  type: "function",
                  function: { name: "write", arguments: text },
                }],
              },
            }],
          })
        }\n\n`;
      const pieces = [piece('{"path":"a.txt","content":"'), piece("x".repeat(8000))];
      const provider = startFakeProvider([{ pieces, ending: "hang" }]);
      try {
        await withTerminal(
          ["--endpoint", provider.url, "--model", "m"],
          { cwd: workspace, home },
          async (terminal) => {
            await terminal.ready();
            await terminal.type("write it");
            await terminal.press("Enter");
            await terminal.waitFor(/\nwriting a call · \d+ s · 2 00\d tokens · Ctrl-C stops\s*$/);
            await terminal.press("C-c");
            await terminal.waitFor(/\n> write it\ninterrupted\n(?:\d+ s\n)?> ?$/);
            await quit(terminal);
          },
        );
      } finally {
        await provider.close();
      }
    }),
);
