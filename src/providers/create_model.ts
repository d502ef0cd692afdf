/** Makes a model that can be asked: from a provider's name to a `ChatModel`. */
import { RunFailure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { ChatModel } from "../core/model.ts";
import { type ProviderEntry, providerNamed, type WireName } from "./catalog.ts";
import { parseEndpoint, shownEndpoint } from "./http/endpoint.ts";
import { modelFacts } from "./models/lookup.ts";
import type { Wire } from "./wires/wire.ts";

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
  const { provider } = spec;
  const entry = typeof provider === "string" ? providerNamed(provider) : provider;
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
  const endpoint = spec.endpoint || entry.endpoint;
  if (endpoint === undefined) {
    throw config(
      `no endpoint for provider ${entry.name}: set providers.${entry.name}.endpoint in config.json`,
    );
  }
  const parsed = parseEndpoint(endpoint);
  if (parsed === undefined) {
    throw config(
      `providers.${entry.name}.endpoint: expected an http or https address, found ${
        JSON.stringify(shownEndpoint(endpoint))
      }`,
    );
  }
  const apiKey = spec.apiKey?.trim() || undefined;
  if (apiKey === undefined && needsKey(entry, endpoint)) {
    const advice = spec.keyAdvice ?? `set ${entry.keyVariables.join(" or ")}`;
    throw config(`no key for provider ${entry.name}: ${advice}`);
  }
  checkHeader(`providers.${entry.name}.api_key`, "authorization", apiKey ?? "");
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    checkHeader(`providers.${entry.name}.headers.${name}`, name, value);
  }
  const [facts, wire, { providerModel }, { httpFetch }] = await Promise.all([
    modelFacts(entry.name, model, spec.modelTable),
    loadWire(entry.wire),
    import("./model.ts"),
    import("../host/http_client.ts"),
  ]);
  return providerModel({
    spec: { ...spec, model },
    entry,
    wire,
    facts,
    endpoint: parsed,
    apiKey,
    fetch: spec.fetch ?? httpFetch(),
  });
}

/** A server at an endpoint of the person's own needs no key: it says itself whether it wants one. */
function needsKey(entry: ProviderEntry, endpoint: string): boolean {
  return entry.key === "required" && endpoint === entry.endpoint;
}

function config(sentence: string): RunFailure {
  return new RunFailure("config", sentence);
}

/** Throws for what HTTP cannot carry; the value itself is not shown. */
function checkHeader(key: string, name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw config(
      `${key}: expected a name and value that an HTTP header can carry, found other characters`,
    );
  }
}

/** Only the wire that is asked is loaded. */
async function loadWire(name: WireName): Promise<Wire> {
  switch (name) {
    case "chat":
      return (await import("./wires/chat/wire.ts")).wire;
    case "responses":
      return (await import("./wires/responses/wire.ts")).wire;
    case "anthropic":
      return (await import("./wires/anthropic/wire.ts")).wire;
    case "google":
      return (await import("./wires/google/wire.ts")).wire;
  }
}
