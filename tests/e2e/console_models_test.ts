import assert from "node:assert/strict";
import { startFakeProvider } from "../support/fake_provider.ts";
import { withScratch } from "../support/program.ts";
import { testWhere } from "../support/test_where.ts";
import { quit } from "./console_support.ts";
import { tmux, withTerminal } from "./tmux_terminal.ts";

const models = ["zebra-1", "alpaca-2", "alpaca-1"].map((id) => ({ id, context_length: 32_000 }));

testWhere(
  tmux,
  "console: /models lists what the server offers",
  () =>
    withScratch(async ({ workspace, home }) => {
      const provider = startFakeProvider(
        [{ body: JSON.stringify({ data: models }) }],
        { repeatLast: true },
      );
      try {
        await withTerminal(
          ["--endpoint", provider.url, "--model", "alpaca-2"],
          { cwd: workspace, home },
          async (terminal) => {
            await terminal.ready();
            const all = await terminal.submit("/models");
            assert.match(
              all,
              /offers 3 models:\n {2}alpaca-1 {2}32 000 tokens\n\* alpaca-2 .*\n {2}zebra-1 /,
            );
            assert.match(await terminal.submit("/models ZEBRA"), /offers 1 model:\n {2}zebra-1/);
            assert.match(
              await terminal.submit("/models lion"),
              /offers no model with lion in its name, but 3 models\./,
            );
            await quit(terminal);
          },
        );
      } finally {
        await provider.close();
      }
    }),
);

testWhere(
  tmux,
  "console: /models says why there is no list, and the loop goes on",
  () =>
    withScratch(async ({ workspace, home }) => {
      const provider = startFakeProvider([{ status: 404, body: "{}" }]);
      try {
        await withTerminal(
          ["--endpoint", provider.url, "--model", "m"],
          { cwd: workspace, home },
          async (terminal) => {
            await terminal.ready();
            assert.match(
              await terminal.submit("/models"),
              /error: openai-compatible \(http.*answered 404; check the endpoint; some servers/,
            );
            await quit(terminal);
          },
        );
      } finally {
        await provider.close();
      }
    }),
);

testWhere(
  tmux,
  "console: /model refuses what the server does not list",
  () =>
    withScratch(async ({ workspace, home }) => {
      const provider = startFakeProvider(
        [{ body: JSON.stringify({ data: models }) }],
        { repeatLast: true },
      );
      try {
        await withTerminal(
          ["--endpoint", provider.url, "--model", "alpaca-2"],
          { cwd: workspace, home },
          async (terminal) => {
            await terminal.ready();
            assert.match(
              await terminal.submit("/model alpaca-3"),
              /error: openai-compatible does not know the model "alpaca-3": /,
            );
            assert.match(await terminal.submit("/model"), /Model: alpaca-2 /);
            assert.match(await terminal.submit("/model zebra-1"), /Model: zebra-1 /);
            await quit(terminal);
          },
        );
      } finally {
        await provider.close();
      }
    }),
);
