/** Chooses provider, model and key, and makes the model. */
import { resolve } from "node:path";
import { findKey, type FoundKey, missingKey } from "../config/credentials.ts";
import { modelTablePath } from "../config/home.ts";
import { RunFailure } from "../core/failure.ts";
import type { ChatModel } from "../core/model.ts";
import { nearest } from "../lib/nearest.ts";
import { findProvider, type ProviderEntry, providers } from "../providers/catalog.ts";
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
  const entry = findProvider(name);
  if (!entry) {
    const guess = nearest(name, providers.map((provider) => provider.name));
    throw new RunFailure(
      asked.provider === undefined ? "config" : "usage",
      `there is no provider named ${JSON.stringify(name)}${
        guess ? ` (did you mean ${guess}?)` : ""
      }; the providers are ${providers.map((provider) => provider.name).join(", ")}`,
    );
  }
  const settings = config.providers[name] ?? {};
  const model = asked.model ??
    (selection.provider === name || asked.provider === undefined ? selection.model : undefined) ??
    (name === config.settings["default_provider"] ? config.settings["default_model"] : undefined) ??
    settings.last_model ?? entry.defaultModel;
  const flag = (asked.apiKeyProvider ?? name) === name ? asked.apiKey : undefined;
  // a server on this machine needs no key, and is given one where there is one
  const key = entry.wire === "replay" && flag === undefined ? undefined : findKey(name, {
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
  choice: ModelChoice,
  environment: RunEnvironment,
): Promise<ChatModel> {
  const { entry, model, endpoint, key } = choice;
  const { config, host, nimletHome } = environment;
  if (model === undefined) {
    throw new RunFailure(
      "config",
      entry.wire === "replay"
        ? "no cassette: --provider replay needs --model FILE"
        : `no model chosen for provider ${entry.name}: use --model ID, or set default_model in config.json`,
    );
  }
  if (entry.wire !== "replay" && endpoint === undefined) {
    throw new RunFailure(
      "config",
      `no endpoint for provider ${entry.name}: set providers.${entry.name}.endpoint in config.json`,
    );
  }
  if (entry.key === "required" && key === undefined) {
    throw missingKey(entry.name, { env: host.env, keyVariables: entry.keyVariables }, nimletHome);
  }
  const settings = config.providers[entry.name] ?? {};
  const { createModel } = await import("../providers/create_model.ts");
  return await createModel({
    provider: entry.name,
    model: entry.wire === "replay" ? resolve(host.env.cwd, model) : model,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(key === undefined ? {} : { apiKey: key.key }),
    ...(settings.headers === undefined ? {} : { headers: settings.headers }),
    ...(settings.options === undefined ? {} : { options: settings.options }),
    contextWindow: config.settings["agent.context_window"],
    ...(nimletHome === undefined ? {} : { modelTable: modelTablePath(nimletHome) }),
  });
}
