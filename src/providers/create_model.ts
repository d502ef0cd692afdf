/** The making of a model that can be asked: from a provider's name to a `ChatModel`. */
import { RunFailure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { ChatModel } from "../core/model.ts";
import { nearest } from "../lib/nearest.ts";
import { findProvider, type ProviderEntry, providers, type Wire } from "./catalog.ts";
import { parseEndpoint, shownEndpoint } from "./endpoint.ts";
import { modelFacts } from "./models/lookup.ts";

export interface ModelSpec {
  readonly provider: string;
  readonly model: string;
  /** Instead of the provider's own. */
  readonly endpoint?: string;
  /** Empty counts as none. */
  readonly apiKey?: string;
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
 * Makes a model; loads the one SDK package that it needs. Throws `RunFailure("config")` with one
 * sentence where something is missing that a person must set.
 */
export async function createModel(spec: ModelSpec): Promise<ChatModel> {
  const entry = findProvider(spec.provider);
  if (entry === undefined) throw unknownProvider(spec.provider);
  if (entry.wire === "replay") {
    const { replayModel } = await import("./replay/replay_model.ts");
    return await replayModel(spec);
  }
  if (spec.model.trim() === "") {
    throw new RunFailure("config", `No model is set for ${entry.name}; name one with --model.`);
  }
  const endpoint = spec.endpoint || entry.endpoint;
  if (endpoint === undefined) {
    throw new RunFailure(
      "config",
      `The provider ${entry.name} needs an address; set providers.${entry.name}.endpoint.`,
    );
  }
  const parsed = parseEndpoint(endpoint);
  if (parsed === undefined) {
    throw new RunFailure(
      "config",
      `providers.${entry.name}.endpoint: expected an http or https address, found ${
        JSON.stringify(shownEndpoint(endpoint))
      }.`,
    );
  }
  const apiKey = spec.apiKey?.trim() || undefined;
  const ownAddress = endpoint === entry.endpoint; // a server of one's own may need no key
  if (apiKey === undefined && entry.key === "required" && ownAddress) throw noKey(entry);
  checkHeader(`providers.${entry.name}.api_key`, "authorization", apiKey ?? "");
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    checkHeader(`providers.${entry.name}.headers.${name}`, name, value);
  }
  const facts = await modelFacts(entry.name, spec.model, spec.modelTable);
  const [{ wire }, { sdkModel }] = await Promise.all([
    loadWire(entry.wire),
    import("./sdk_model.ts"),
  ]);
  return sdkModel({ spec, entry, wire, facts, endpoint: parsed, apiKey });
}

/** Throws for what HTTP cannot carry; the value itself is not shown. */
function checkHeader(key: string, name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RunFailure(
      "config",
      `${key}: expected a name and value that an HTTP header can carry, found other characters.`,
    );
  }
}

function unknownProvider(name: string): RunFailure {
  const names = providers.map((provider) => provider.name);
  const guess = nearest(name, names);
  return new RunFailure(
    "config",
    `Unknown provider ${JSON.stringify(name)}${
      guess === undefined ? "" : ` (did you mean ${guess}?)`
    }; known are ${names.join(", ")}.`,
  );
}

function noKey(entry: ProviderEntry): RunFailure {
  return new RunFailure(
    "config",
    `No API key for ${entry.name}; set ${
      entry.keyVariables.join(" or ")
    }, or providers.${entry.name}.api_key in the config file.`,
  );
}

/** Each wire brings its SDK package; only the one that is asked is loaded. */
function loadWire(wire: Exclude<Wire, "replay">) {
  switch (wire) {
    case "chat":
      return import("./wires/chat.ts");
    case "mistral":
      return import("./wires/mistral.ts");
    case "responses":
      return import("./wires/responses.ts");
    case "anthropic":
      return import("./wires/anthropic.ts");
    case "google":
      return import("./wires/google.ts");
  }
}
