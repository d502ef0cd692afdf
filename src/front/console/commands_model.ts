/** The console commands that choose the model. */
import { thinkingLevels } from "../../core/model.ts";
import type { ModelManager } from "../../core/model_manager.ts";
import { visible } from "../../lib/visible.ts";
import type { Command, CommandContext } from "./command.ts";

export const modelCommands: readonly Command[] = [
  {
    name: "model",
    usage: "[ID]",
    help: "show or change the model",
    choices: ({ models }, before, signal) =>
      before.length === 0 ? modelChoices(models, signal) : [],
    async run(args, context) {
      const [id] = args;
      if (args.length > 1) return false;
      if (id !== undefined) {
        await context.models.setModel(id, undefined, context.signal);
        await remember(context);
      }
      await showModel(context);
      return;
    },
  },
  {
    name: "models",
    usage: "[TEXT]",
    help: "list the models that the server offers, those with TEXT in their name",
    takesText: true,
    async run([text = ""], { conversation, models, say, dim, signal }) {
      const { provider, model } = conversation.state();
      const offered = await models.offered(signal);
      const wanted = text.toLowerCase();
      const found = offered.filter(({ id }) => id.toLowerCase().includes(wanted));
      if (found.length === 0) {
        const filter = text === "" ? "" : ` with ${visible(text)} in its name`;
        const others = offered.length === 0 ? "" : `, but ${counted(offered.length)}`;
        return await say(`${provider} offers no model${filter}${others}.`);
      }
      const lines = found.slice(0, maxModels).map(({ id, contextWindow }) => {
        const window = contextWindow === undefined ? "" : dim(`  ${tokens(contextWindow)} tokens`);
        return `${id === model ? "*" : " "} ${visible(id)}${window}`;
      });
      const more = found.length - lines.length;
      if (more > 0) lines.push(dim(`  … ${more} more; /models TEXT lists those with TEXT in them`));
      await say([`${provider} offers ${counted(found.length)}:`, ...lines].join("\n"));
    },
  },
  {
    name: "provider",
    usage: "[NAME [MODEL]]",
    help: "show or change the provider",
    choices: ({ models }, [name], signal) =>
      name === undefined ? models.providers() : modelChoices(models, signal, name),
    async run(args, context) {
      const { models, say, signal } = context;
      const [name, model] = args;
      if (args.length > 2) return false;
      if (name === undefined) {
        await showModel(context);
        return await say(`Providers: ${models.providers().join(", ")}`);
      }
      if (model === undefined) await models.setProvider(name);
      else await models.setModel(model, name, signal);
      await remember(context);
      await showModel(context);
      return;
    },
  },
  {
    name: "thinking",
    aliases: ["effort"],
    usage: "[LEVEL]",
    help: `show or change how much the model thinks: ${thinkingLevels.join(", ")}, default`,
    choices: () => [...thinkingLevels, "default"],
    async run(args, { conversation, say }) {
      const [level] = args;
      if (args.length > 1) return false;
      if (level !== undefined) {
        const known = thinkingLevels.find((candidate) => candidate === level);
        if (known === undefined && level !== "default") {
          return false;
        }
        await conversation.setThinking(known);
      }
      await say(`Thinking: ${conversation.state().thinking ?? "the model's default"}`);
      return;
    },
  },
];

/** None where the server gives no list. */
async function modelChoices(
  models: ModelManager,
  signal: AbortSignal,
  provider?: string,
): Promise<readonly string[]> {
  try {
    return (await models.offered(signal, provider)).map(({ id }) => id);
  } catch {
    return []; // a completion reports nothing
  }
}

const maxModels = 100;

function counted(count: number): string {
  return count === 1 ? "1 model" : `${count} models`;
}

function tokens(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, " ");
}

async function showModel({ conversation, say }: CommandContext): Promise<void> {
  const { provider, model } = conversation.state();
  await say(`Model: ${visible(model)} (${provider})`);
}

/** A choice that cannot be kept holds all the same. */
async function remember({ models, say }: CommandContext): Promise<void> {
  try {
    await models.remember();
  } catch (error) {
    await say(visible(error instanceof Error ? error.message : String(error)));
  }
}
