/** The console command that shows extensions. */
import { visible } from "../../lib/visible.ts";
import type { Command } from "./command.ts";

export const extensionCommands: readonly Command[] = [
  {
    name: "extensions",
    usage: "",
    help: "list the extensions, with what they offer and say of themselves",
    async run(_args, { conversation, say, dim }) {
      const { extensions = [] } = conversation.state();
      if (extensions.length === 0) return await say("No extensions.");
      const width = Math.max(...extensions.map(({ name }) => name.length));
      const lines = extensions.flatMap(
        ({ name, state, tools, commands, events, status, error }) => {
          const offers = [
            `${tools} ${tools === 1 ? "tool" : "tools"}`,
            ...commands.map((command) => `/${command}`),
            ...events,
          ].join(", ");
          return [
            `${visible(name).padEnd(width)}  ${state}  ${dim(visible(offers))}`,
            ...Object.entries(status).map(([key, text]) => dim(visible(`  ${key}: ${text}`))),
            ...error === undefined ? [] : [`  ${visible(error)}`],
          ];
        },
      );
      await say(lines.join("\n"));
    },
  },
];
