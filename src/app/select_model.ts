/** Chooses provider, model and key, and makes the model. */
import { resolve } from "node:path";
import { findKey, type FoundKey, keyAdvice } from "../config/credentials.ts";
import { modelTablePath } from "../config/home.ts";
import type { ChatModel } from "../core/model.ts";
import { type ProviderEntry, providerNamed } from "../providers/catalog.ts";
import type { Selection } from "../session/history.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run_options.ts";

export interface ModelChoice {
  readonly entry: ProviderEntry;
  readonly model: string | undefined;
  readonly endpoint: string | undefined;
  readonly key: FoundKey | undefined;
}

type Asked = Pick<RunOptions, "provider" | "model" | "apiKey"> & {
  /** The provider that `apiKey` is for, once it is known: no other one is ever handed it. */
  readonly apiKeyProvider?: string | undefined;
};

/**
 * What is used: flags, then the session's last choice, then settings, then defaults.
 * Throws `RunFailure("config")` for a provider that is not known or a key that cannot be read.
 */
export function chooseModel(
  asked: Asked,
  environment: RunEnvironment,
  selection: Pick<Selection, "provider" | "model"> = {},
): ModelChoice {
  const { config, auth, host } = environment;
  const name = asked.provider ?? selection.provider ?? config.settings["default_provider"];
  const entry = providerNamed(name, asked.provider === undefined ? "config" : "usage");
  const settings = config.providers[name] ?? {};
  const model = asked.model ??
    (selection.provider === name || asked.provider === undefined ? selection.model : undefined) ??
    (name === config.settings["default_provider"] ? config.settings["default_model"] : undefined) ??
    settings.last_model ?? entry.defaultModel;
  const flag = (asked.apiKeyProvider ?? name) === name ? asked.apiKey : undefined;
  // a server on this machine needs no key, and is given one where there is one
  const key = entry.wire === undefined && flag === undefined ? undefined : findKey(name, {
    flag,
    config,
    auth,
    env: host.env,
    keyVariables: entry.keyVariables,
  });
  return { entry, model, endpoint: settings.endpoint ?? entry.endpoint, key };
}

/** Makes the chosen model. Throws `RunFailure("config")` where something that it needs is missing. */
export async function makeModel(
  { entry, model, endpoint, key }: ModelChoice,
  { config, host, nimletHome }: RunEnvironment,
): Promise<ChatModel> {
  const { headers, options } = config.providers[entry.name] ?? {};
  const { createModel } = await import("../providers/create_model.ts");
  const playsFile = entry.wire === undefined && model !== undefined;
  return await createModel({
    provider: entry.name,
    model: playsFile ? resolve(host.env.cwd, model) : model,
    endpoint,
    apiKey: key?.key,
    keyAdvice: keyAdvice(
      entry.name,
      { env: host.env, keyVariables: entry.keyVariables },
      nimletHome,
    ),
    ...(headers === undefined ? {} : { headers }),
    ...(options === undefined ? {} : { options }),
    contextWindow: config.settings["agent.context_window"],
    ...(nimletHome === undefined ? {} : { modelTable: modelTablePath(nimletHome) }),
  });
}
