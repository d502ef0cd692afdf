/** The console commands about sessions. */
import type { SessionLine } from "../../core/session_manager.ts";
import { oneLine } from "../../lib/one_line.ts";
import { visible } from "../../lib/visible.ts";
import type { Command } from "./command.ts";

const maxShown = 20;

export const sessionCommands: readonly Command[] = [
  {
    name: "session",
    aliases: ["sessions", "status"],
    usage: "",
    help: "show the current session and this folder's other ones",
    async run(_args, { conversation, sessions, say, dim }) {
      const { sessionId, name } = conversation.state();
      const title = name === undefined ? "" : ` ${visible(name)}`;
      await say(`Session: ${sessionId}${title}`);
      await say(`File: ${visible(sessions.file() ?? "none; this session is not kept")}`);
      const others = (await sessions.list()).filter(({ id }) => id !== sessionId);
      if (others.length === 0) return;
      const lines = others.slice(0, maxShown).map((session) => `  ${lineOf(session, dim)}`);
      if (others.length > maxShown) lines.push(dim(`  … ${others.length - maxShown} older ones`));
      await say(`Others, for /resume:\n${lines.join("\n")}`);
    },
  },
  {
    name: "new",
    aliases: ["clear"],
    usage: "",
    help: "begin a new session",
    async run(_args, { conversation, sessions, say }) {
      await sessions.begin();
      await say(`New session: ${conversation.state().sessionId}`);
    },
  },
  {
    name: "resume",
    aliases: ["continue"],
    usage: "[ID]",
    help: "continue another session: the latest one, or the one of that id, start of id, or name",
    takesText: true,
    choices: async ({ conversation, sessions }) => {
      const { sessionId } = conversation.state();
      const others = (await sessions.list()).filter(({ id }) => id !== sessionId);
      return others.map(({ id, name, prompt = "" }) => ({ value: id, note: name ?? prompt }));
    },
    async run(args, { conversation, sessions, say }) {
      await sessions.resume(args[0]);
      const { sessionId, name } = conversation.state();
      const { messages } = await sessions.stats();
      const title = name === undefined ? "" : ` ${visible(name)}`;
      await say(`Resumed: ${sessionId}${title}, ${messages} messages`);
      return;
    },
  },
  {
    name: "fork",
    usage: "",
    help: "continue with a copy of the session, and leave this one as it is",
    async run(_args, { conversation, sessions, say }) {
      await sessions.fork();
      await say(`Copied: this is ${conversation.state().sessionId} now`);
    },
  },
  {
    name: "export",
    usage: "[FILE]",
    help: "write the session to a .html, .md or .jsonl file to read or hand on",
    takesText: true,
    async run([file], { sessions, say }) {
      await say(`Written: ${visible(await sessions.export(file))}`);
    },
  },
  {
    name: "name",
    aliases: ["rename"],
    usage: "[NAME]",
    help: "show or set the session's name",
    takesText: true,
    async run([name], { conversation, say }) {
      if (name !== undefined) await conversation.rename(name);
      await say(`Name: ${visible(conversation.state().name ?? "none")}`);
    },
  },
  {
    name: "compact",
    aliases: ["compress"],
    usage: "[INSTRUCTION]",
    help: "summarise the older part of the conversation now",
    takesText: true,
    async run([instruction], { conversation, say, signal }) {
      const done = await conversation.compact(signal, instruction);
      if (done === undefined) await say("There is nothing older to summarise.");
    },
  },
];

function lineOf(session: SessionLine, dim: (text: string) => string): string {
  const when = new Date(session.updatedMs).toISOString().slice(0, 16).replace("T", " ");
  const title = session.name ?? session.prompt ?? "";
  return `${session.id}  ${dim(when)}  ${oneLine(title, 60)}`;
}
