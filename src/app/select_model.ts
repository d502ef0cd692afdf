/** Chooses provider, model and key, and makes the model. */
import { resolve } from "node:path";
import { findKey, type FoundKey, keyAdvice } from "../config/credentials.ts";
import { modelTablePath } from "../config/home.ts";
import type { ChatModel } from "../core/model.ts";
import type { OfferedModel } from "../core/model_manager.ts";
import { type ProviderEntry, providerNamed, providers } from "../providers/catalog.ts";
import type { ServerSpec } from "../providers/server.ts";
import type { Selection } from "../session/history.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run_options.ts";

export interface ModelChoice {
  readonly entry: ProviderEntry;
  readonly model: string | undefined;
  readonly endpoint: string | undefined;
  readonly key: FoundKey | undefined;
  /** What a person should know of the choice. */
  readonly notice?: string;
  /** Where no provider was chosen and none has a key. */
  readonly keyAdvice?: string;
}

type Asked = Pick<RunOptions, "provider" | "model" | "endpoint" | "apiKey"> & {
  /** The provider of the first model, once it is known: the key and the endpoint are for it alone. */
  readonly firstProvider?: string | undefined;
};

/**
 * What is used: flags, then the environment, then the session's last choice, then settings, then the
 * first provider that has a key. Throws `RunFailure("config")` for a provider that is not known or a key
 * that cannot be read.
 */
export function chooseModel(
  asked: Asked,
  environment: RunEnvironment,
  selection: Pick<Selection, "provider" | "model"> = {},
): ModelChoice {
  const { config, host } = environment;
  const variable = (name: string) => host.env.get(name)?.trim() || undefined;
  const isFirst = (name: string) => (asked.firstProvider ?? name) === name;
  const address = asked.endpoint ?? variable("NIMLET_ENDPOINT");
  // an address alone is nobody's: no vendor's key goes there
  const wanted = asked.provider ?? variable("NIMLET_PROVIDER") ??
    (address === undefined ? undefined : "openai-compatible");
  const chosen = wanted ?? selection.provider;
  const fallback = config.settings["default_provider"];
  const isChosen = chosen !== undefined ||
    config.sources.get("default_provider")?.scope !== "default";
  const withKey = isChosen ? undefined : firstWithKey(environment, asked.apiKey);
  const name = chosen ?? withKey?.entry.name ?? fallback;
  const entry = providerNamed(
    name,
    config.providers,
    asked.provider === undefined ? "config" : "usage",
  );
  const settings = config.providers[name] ?? {};
  const model = asked.model ?? (isFirst(name) ? variable("NIMLET_MODEL") : undefined) ??
    (selection.provider === name || wanted === undefined ? selection.model : undefined) ??
    (name === fallback ? config.settings["default_model"] : undefined) ??
    settings.last_model ?? entry.defaultModel;
  const flag = isFirst(name) ? asked.apiKey : undefined;
  const ownEndpoint = isFirst(name) ? address : undefined;
  const key = keyOf(entry, environment, flag);
  return {
    entry,
    model,
    endpoint: ownEndpoint ?? settings.endpoint ?? entry.endpoint,
    key,
    ...withKey === undefined || name === fallback
      ? {}
      : { notice: `the provider ${name} is used, as ${withKey.key.source} holds a key for it` },
    ...isChosen || withKey !== undefined ? {} : { keyAdvice: noKeyAdvice },
  };
}

/** What a person reads who has chosen nothing and has no key. */
const noKeyAdvice = `set one of ${
  [...new Set(providers.flatMap(({ keyVariables }) => keyVariables.slice(0, 1)))].join(", ")
}; or use a server of this machine: nimlet --provider local --model NAME`;

/** The first provider of the table that there is a key for; a key of the command line is the default's. */
function firstWithKey(environment: RunEnvironment, flag: string | undefined) {
  if (flag !== undefined) return undefined;
  for (const entry of providers) {
    const key = entry.keyVariables.length === 0 ? undefined : keyOf(entry, environment, undefined);
    if (key !== undefined) return { entry, key };
  }
  return undefined;
}

function keyOf(
  entry: ProviderEntry,
  { config, auth, host }: RunEnvironment,
  flag: string | undefined,
): FoundKey | undefined {
  // a cassette needs none; a server of this machine gets one where there is one
  if (entry.wire === undefined && flag === undefined) return undefined;
  const { keyVariables } = entry;
  return findKey(entry.name, { flag, config, auth, env: host.env, keyVariables });
}

/** Makes the chosen model. Throws `RunFailure("config")` where something that it needs is missing. */
export async function makeModel(
  choice: ModelChoice,
  environment: RunEnvironment,
): Promise<ChatModel> {
  const { entry, model } = choice;
  const { config, host, nimletHome } = environment;
  const { options } = config.providers[entry.name] ?? {};
  const { createModel } = await import("../providers/create_model.ts");
  const playsFile = entry.wire === undefined && model !== undefined;
  return await createModel({
    ...serverSpec(choice, environment),
    model: playsFile ? resolve(host.env.cwd, model) : model,
    ...(options === undefined ? {} : { options }),
    contextWindow: config.settings["agent.context_window"],
    ...(nimletHome === undefined ? {} : { modelTable: modelTablePath(nimletHome) }),
  });
}

/** Asks the chosen provider's server for its models, as `listModels` says. */
export async function offeredModels(
  choice: ModelChoice,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const { listModels } = await import("../providers/list_models.ts");
  return await listModels(serverSpec(choice, environment), signal);
}

function serverSpec(
  { entry, endpoint, key, keyAdvice: advice }: ModelChoice,
  { config, host, nimletHome }: RunEnvironment,
): ServerSpec {
  const { headers } = config.providers[entry.name] ?? {};
  return {
    provider: entry,
    endpoint,
    apiKey: key?.key,
    keyAdvice: advice ?? keyAdvice(
      entry.name,
      { env: host.env, keyVariables: entry.keyVariables },
      nimletHome,
    ),
    ...(headers === undefined ? {} : { headers }),
  };
}
