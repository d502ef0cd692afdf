/** Makes a model that can be asked: from a provider's name to a `ChatModel`. */
import { RunFailure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { ChatModel } from "../core/model.ts";
import type { ProviderEntry } from "./catalog.ts";
import { modelFacts } from "./models/lookup.ts";
import { entryOf, loadWire, serverOf } from "./server.ts";

export interface ModelSpec {
  /** A name of the table, or the entry of a provider that is not in it. */
  readonly provider: string | ProviderEntry;
  /** A model's id; the path of a cassette for the provider `replay`. */
  readonly model: string | undefined;
  /** Instead of the provider's own. */
  readonly endpoint?: string | undefined;
  /** Empty counts as none. */
  readonly apiKey?: string | undefined;
  /** What to do where a key is missing, for the sentence that says so. */
  readonly keyAdvice?: string;
  /** Sent with every request, over all others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Native request fields, merged into each request's body. */
  readonly options?: JsonObject;
  /** Tokens; 0 and undefined: from the model table. */
  readonly contextWindow?: number;
  /** Path of models-dev.json; without it the built-in table alone counts. */
  readonly modelTable?: string;
  readonly fetch?: typeof fetch;
}

/**
 * Makes a model; loads the one wire that it needs. This alone judges the choice of provider, model,
 * endpoint and key: throws `RunFailure("config")` with one sentence where something is missing that
 * a person must set.
 */
export async function createModel(spec: ModelSpec): Promise<ChatModel> {
  const entry = entryOf(spec);
  const model = spec.model?.trim() || undefined;
  if (entry.wire === undefined) {
    if (model === undefined) throw config("no cassette: --provider replay needs --model FILE");
    const { replayModel } = await import("./replay/replay_model.ts");
    return replayModel({ ...spec, model });
  }
  if (model === undefined) {
    throw config(
      `no model chosen for provider ${entry.name}: use --model ID, or set default_model in config.json`,
    );
  }
  const server = serverOf(spec);
  const [facts, wire, { providerModel }, { httpFetch }] = await Promise.all([
    modelFacts(entry.name, model, spec.modelTable),
    loadWire(server.entry.wire),
    import("./model.ts"),
    import("../host/http_client.ts"),
  ]);
  return providerModel({
    spec: { ...spec, model },
    server,
    wire,
    facts,
    fetch: spec.fetch ?? httpFetch(),
  });
}

function config(sentence: string): RunFailure {
  return new RunFailure("config", sentence);
}
