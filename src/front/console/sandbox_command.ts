/** The console command that shows the sandbox, and makes it stricter or looser. */
import { type SandboxMode, sandboxModes } from "../../core/sandbox.ts";
import { visible } from "../../lib/visible.ts";
import type { Command } from "./command.ts";

export const sandboxCommand: Command = {
  name: "sandbox",
  usage: "[off|commit|workspace|read]",
  help: "show or set what commands may change",
  choices: () => sandboxModes,
  async run(args, { sandbox, say, confirm }) {
    const [wanted] = args;
    if (args.length > 1 || (wanted !== undefined && !isMode(wanted))) return false;
    const { mode } = sandbox.state();
    if (wanted !== undefined && wanted !== mode) {
      const isLooser = sandboxModes.indexOf(wanted) < sandboxModes.indexOf(mode);
      if (isLooser && !await confirm(`Let commands change more, from ${mode} to ${wanted}?`)) {
        return;
      }
      await sandbox.choose(wanted);
    }
    const now = sandbox.state();
    const width = Math.max(0, ...now.lines.map(([name]) => name.length));
    const lines = now.lines.map(([name, text]) => `\n  ${name.padEnd(width)}  ${visible(text)}`);
    await say(
      now.mode === "off"
        ? "Commands run without a sandbox."
        : `Commands run in a sandbox: ${now.mode}.${lines.join("")}`,
    );
    return;
  },
};

function isMode(word: string): word is SandboxMode {
  return (sandboxModes as readonly string[]).includes(word);
}
