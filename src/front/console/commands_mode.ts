/** The console commands that change what the agent may do. */
import { visible } from "../../lib/visible.ts";
import type { Command } from "./command.ts";
import { sandboxCommand } from "./sandbox_command.ts";

export const modeCommands: readonly Command[] = [
  {
    name: "plan",
    usage: "",
    help: "plan mode: the model reads, and changes nothing",
    async run(_args, { conversation, say }) {
      await conversation.setMode("plan");
      await say("Plan mode: only reading tools are offered.");
    },
  },
  {
    name: "act",
    usage: "",
    help: "act mode: the model may change things",
    async run(_args, { conversation, say }) {
      await conversation.setMode("act");
      await say("Act mode: all tools are offered.");
    },
  },
  {
    name: "yolo",
    usage: "[off]",
    help: "approve every tool call from now on, or ask again",
    choices: () => ["off"],
    async run(args, { conversation, say }) {
      if (args.length > 1 || (args.length === 1 && args[0] !== "off")) return false;
      const on = args.length === 0;
      conversation.setApprovesEverything(on);
      await say(on ? "Every tool call is approved." : "Tool calls need approval again.");
      return;
    },
  },
  {
    name: "trust",
    usage: "[on|off]",
    help: "show or set whether the folder's own tools, settings and texts are used",
    choices: () => ["on", "off"],
    async run(args, { permissions, say }) {
      const [answer] = args;
      if (args.length > 1 || (answer !== undefined && answer !== "on" && answer !== "off")) {
        return false;
      }
      if (answer !== undefined) await permissions.setTrust(answer === "on");
      const { trusted, parts } = await permissions.trust();
      const list = parts.map((part) => `\n  ${visible(part)}`).join("");
      await say(
        `This folder is ${trusted ? "trusted" : "not trusted"}. ${
          list === "" ? "It brings nothing of its own." : `It brings:${list}`
        }`,
      );
      return;
    },
  },
  sandboxCommand,
  {
    name: "reload",
    usage: "",
    help: "read settings, tools, skills and prompt templates again",
    async run(_args, { conversation, reload, say, signal }) {
      await reload(signal);
      await say(`Reloaded: ${conversation.tools().length} tools.`);
    },
  },
];
