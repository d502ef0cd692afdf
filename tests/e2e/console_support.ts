/** The form of a test of the console loop: a scripted model, a terminal, an end. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cassette } from "../support/cassette.ts";
import { withScratch } from "../support/program.ts";
import { testWhere } from "../support/test_where.ts";
import { tmux, type TmuxTerminal, withTerminal } from "./tmux_terminal.ts";

type Steps = Parameters<typeof cassette>[1];

export interface Place {
  readonly workspace: string;
  readonly home: string;
}

/** A test of the console loop with a scripted model. */
export function consoleTest(
  name: string,
  { steps, args = [], prepare, script, env }: {
    steps: Steps;
    args?: readonly string[];
    prepare?: (place: Place) => Promise<void>;
    script?: string;
    env?: Record<string, string>;
  },
  use: (terminal: TmuxTerminal, place: Place) => Promise<void>,
) {
  testWhere(tmux, `console: ${name}`, () =>
    withScratch(async ({ root, workspace, home }) => {
      const model = await cassette(join(root, "model.jsonl"), steps);
      await prepare?.({ workspace, home });
      await withTerminal(
        [...model, ...args],
        {
          cwd: workspace,
          home,
          ...(script === undefined ? {} : { script }),
          ...(env === undefined ? {} : { env }),
        },
        (terminal) => use(terminal, { workspace, home }),
      );
    }));
}

export async function quit(terminal: TmuxTerminal): Promise<void> {
  await terminal.press("C-d");
  assert.equal(await terminal.exit(), 0);
}

/**
 * Presses a key until the screen shows what it leads to: keys that arrive together on a busy machine count
 * as a word, and answer nothing.
 */
export async function pressUntil(
  terminal: TmuxTerminal,
  key: string,
  shown: string,
): Promise<string> {
  for (let tries = 0; tries < 5; tries++) {
    await terminal.press(key);
    for (let looks = 0; looks < 50; looks++) {
      const screen = await terminal.screen();
      if (screen.includes(shown)) return screen;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  }
  throw new Error(`pressed ${key} in vain; the screen:\n${await terminal.screen()}`);
}
