/** What a line with a slash can be in the console: templates, skills, and commands of extensions. */
import type { SlashPrompts } from "../core/slash_prompts.ts";
import type { ConversationEnvironment } from "./session/conversation_environment.ts";

export function slashPromptsOf(
  { promptContext, extensions }: ConversationEnvironment,
): SlashPrompts {
  const { slashPrompts } = promptContext;
  const pool = extensions?.pool;
  if (pool === undefined) return slashPrompts;
  return {
    async meaning(text) {
      const meaning = await slashPrompts.meaning(text);
      if (meaning !== "unknown") return meaning;
      // what is typed early waits for those that have not registered yet
      await pool.ready(new AbortController().signal).catch(() => {});
      const [name] = text.slice(1).split(/\s/, 1);
      return pool.commands().some((command) => command.name === name) ? "prompt" : "unknown";
    },
    async names() {
      const names = await slashPrompts.names();
      const own = pool.commands().filter(({ name }) => !names.some((one) => one.name === name));
      return [...names, ...own.map(({ name, description }) => ({ name, help: description }))];
    },
  };
}
