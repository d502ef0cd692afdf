/** The file of models.dev: what it says about a model, and how it is fetched. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { providers } from "../catalog.ts";
import type { ModelFacts } from "./model_facts.ts";

export const modelsDevUrl = "https://models.dev/api.json";

/** Our providers under the names of that site, where they differ. */
const theirNames: Record<string, string> = { opencodezen: "opencode", opencode: "opencode-go" };

/** What the file says about a model; only the fields that it tells. */
export function modelsDevFacts(
  file: JsonObject,
  provider: string,
  model: string,
): Partial<ModelFacts> | undefined {
  const entry = within(within(within(file[theirNames[provider] ?? provider]).models)[model]);
  if (Object.keys(entry).length === 0) return undefined;
  const limit = within(entry.limit), cost = within(entry.cost);
  const inputs = within(entry.modalities).input;
  const window = size(limit.context), most = size(limit.output);
  const input = price(cost.input), output = price(cost.output);
  const read = price(cost.cache_read), write = price(cost.cache_write);
  return {
    ...window === undefined ? {} : { contextWindow: window },
    ...most === undefined ? {} : { maxOutputTokens: most },
    ...Array.isArray(inputs) ? { images: inputs.includes("image") } : {},
    ...entry.reasoning === false ? { thinking: ["none"] as const } : {},
    ...input === undefined || output === undefined ? {} : {
      prices: {
        input,
        output,
        ...read === undefined ? {} : { cacheRead: read },
        ...write === undefined ? {} : { cacheWrite: write },
      },
    },
  };
}

/**
 * Fetches the table and hands its text to `write`, in one piece and only if it is what it should
 * be. Returns the number of models. Throws `Error` with a sentence for people.
 */
export async function refreshModels(
  fetchIt: typeof fetch,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
  url: string = modelsDevUrl,
): Promise<number> {
  const response = await fetchIt(url, { signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered with status ${response.status}; the model table is unchanged`);
  }
  const trimmed = trim(parsed(await response.text()) ?? {});
  const models = Object.values(trimmed).reduce<number>(
    (sum, provider) => sum + Object.keys(within(within(provider).models)).length,
    0,
  );
  if (models === 0) {
    throw new Error(`${url} did not answer with a table of models; the old one is unchanged`);
  }
  await write(JSON.stringify(trimmed) + "\n");
  return models;
}

/** The table in its own form, with what is used of it only: it is read at every start. */
function trim(table: JsonObject): JsonObject {
  const trimmed: JsonObject = {};
  for (const { name } of providers) {
    const theirs = theirNames[name] ?? name;
    const models: JsonObject = {};
    for (const [id, entry] of Object.entries(within(within(table[theirs]).models))) {
      const { limit, cost, modalities, reasoning } = within(entry);
      models[id] = Object.fromEntries(
        Object.entries({ limit, cost, modalities, reasoning }).filter(([, told]) =>
          told !== undefined
        ),
      ) as JsonObject;
    }
    if (Object.keys(models).length > 0) trimmed[theirs] = { models };
  }
  return trimmed;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function within(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function size(value: Json | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

function price(value: Json | undefined): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}
