/** The console command that shows hooks. */
import { visibleText } from "../../lib/visible_text.ts";
import type { Command } from "./command.ts";

export const hookCommands: readonly Command[] = [
  {
    name: "hooks",
    usage: "",
    help: "list the hooks, with their runs and failures",
    async run(_args, { conversation, say, dim }) {
      const { hooks = [] } = conversation.state();
      if (hooks.length === 0) return await say("No hooks.");
      const lines = hooks.flatMap((hook) => {
        const { event, matcher, name, command, file, scope, runs, failures, last_ms: ms } = hook;
        const kinds = [
          ...hook.required ? ["required"] : [],
          ...hook.async ? ["async"] : [],
          ...scope === "project" ? ["the project's"] : [],
        ];
        const what = [event, ...matcher === "" ? [] : [matcher], name].join("  ");
        const counts = [
          `${runs} ${runs === 1 ? "run" : "runs"}`,
          ...failures === 0 ? [] : [`${failures} failed`],
          ...ms === undefined ? [] : [`last ${ms} ms`],
        ].join(", ");
        return [
          `${visibleText(what)}${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}: ${counts}`,
          dim(visibleText(`  ${command}`)),
          dim(visibleText(`  ${file}`)),
        ];
      });
      await say(lines.join("\n"));
    },
  },
];
