/** The console commands about what edit and write changed. */
import type { Undo } from "../../core/change_manager.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { visible } from "../../lib/visible.ts";
import type { Command, CommandContext } from "./command.ts";
import { colourDiff } from "./tool_lines.ts";

export const changeCommands: readonly Command[] = [
  {
    name: "diff",
    usage: "",
    help: "show what edit and write changed in this session, as one diff",
    async run(_args, { changes, say, style }) {
      const diff = await changes.diff();
      if (diff === "") return await say("edit and write have changed nothing in this session.");
      const lines = diff.split("\n");
      const shown = lines.slice(0, maxDiffLines).map((line) => colourDiff(visible(line), style));
      const more = lines.length - shown.length;
      if (more > 0) shown.push(style.dim(`… ${more} more lines`));
      await say(shown.join("\n"));
    },
  },
  {
    name: "undo",
    aliases: ["rewind"],
    usage: "",
    help: "take back what edit and write changed in the last turn that changed files",
    async run(_args, context) {
      const { changes, say, confirm } = context;
      const planned = await changes.plannedUndo();
      if (planned === undefined) {
        return await say(
          "Nothing is left to take back of what edit and write changed in this session.",
        );
      }
      await say(planText(planned, context));
      if (planned.files.length === 0) return await say("Nothing of it can be taken back.");
      if (!await confirm("Take this back?")) return;
      const done = await changes.undo();
      if (done === undefined) return;
      const count = done.files.length;
      await say(`Taken back: ${count === 1 ? "1 file" : `${count} files`}.`);
      // what changed while the question was open
      const asPlanned = new Set(planned.kept.map(({ path }) => path));
      const late = done.kept.filter(({ path }) => !asPlanned.has(path));
      if (late.length > 0) await say(keptLines(late).join("\n"));
    },
  },
];

/** More is for a pager. */
const maxDiffLines = 5000;

function planText({ prompt, files, kept }: Undo, { style }: CommandContext): string {
  const head = `${style.yellow("?")} Changes of the turn ${style.bold(prompt)}`;
  const lines = files.map(({ path, action }) => `  ${action.padEnd(7)}  ${shown(path)}`);
  return [head, ...lines, ...keptLines(kept)].join("\n");
}

function keptLines(kept: Undo["kept"]): string[] {
  return kept.map(({ path, reason }) => `  keep     ${shown(path)} (${visible(reason)})`);
}

function shown(path: string): string {
  return visible(shownPath(path));
}
