/** The table of providers: wire, endpoint, key variables. */
import { RunFailure } from "../core/failure.ts";
import { nearest } from "../lib/nearest.ts";

/** The protocol; the folder of its name in wires/ knows it. */
export const wireNames = ["chat", "responses", "anthropic", "google"] as const;
export type WireName = typeof wireNames[number];

/** A wire, or a dialect of one: what a server takes is listed by profile in wires/limits.ts. */
export type Profile = WireName | "openrouter" | "mistral";

export interface ProviderEntry {
  readonly name: string;
  /** Undefined: no server is asked, a cassette is played. */
  readonly wire: WireName | undefined;
  /** Where the server speaks a dialect of its wire. */
  readonly profile?: Profile;
  /** Base address without a slash at the end; missing where a person must give one. */
  readonly endpoint?: string;
  /** Environment variables that may hold the key, the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** "required": no request without a key. */
  readonly key: "required" | "optional" | "none";
  /** True for servers of this machine. */
  readonly isLocal?: boolean;
  /** How a server of this machine is started, as a sentence. */
  readonly start?: string;
  /** Used where neither a flag, the settings nor a last choice names a model. */
  readonly defaultModel?: string;
}

function localServer(name: string, port: number, start: string): ProviderEntry {
  const endpoint = `http://127.0.0.1:${port}/v1`;
  return { name, wire: "chat", endpoint, keyVariables: [], key: "none", isLocal: true, start };
}

export const providers: readonly ProviderEntry[] = [
  {
    name: "openrouter",
    wire: "chat",
    profile: "openrouter",
    endpoint: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    key: "required",
    defaultModel: "anthropic/claude-sonnet-4.5",
  },
  {
    name: "openai",
    wire: "responses",
    endpoint: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    key: "required",
    defaultModel: "gpt-5.1",
  },
  {
    name: "anthropic",
    wire: "anthropic",
    endpoint: "https://api.anthropic.com/v1",
    keyVariables: ["ANTHROPIC_API_KEY"],
    key: "required",
    defaultModel: "claude-sonnet-4-5",
  },
  {
    name: "google",
    wire: "google",
    endpoint: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: [
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "AI_STUDIO_API_KEY",
    ],
    key: "required",
    defaultModel: "gemini-2.5-pro",
  },
  {
    name: "mistral",
    wire: "chat",
    profile: "mistral",
    endpoint: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
    key: "required",
    defaultModel: "mistral-medium-latest",
  },
  {
    name: "hyper",
    wire: "chat",
    endpoint: "https://hyper.charm.land/v1",
    keyVariables: ["HYPER_API_KEY"],
    key: "required",
  },
  {
    name: "opencode",
    wire: "chat",
    endpoint: "https://opencode.ai/zen/go/v1",
    keyVariables: ["OPENCODE_API_KEY"],
    key: "required",
  },
  {
    name: "opencodezen",
    wire: "chat",
    endpoint: "https://opencode.ai/zen/v1",
    keyVariables: ["OPENCODE_API_KEY"],
    key: "required",
  },
  localServer("local", 11434, "start a local server first, for Ollama with: ollama serve"),
  localServer("ollama", 11434, "start Ollama first, with: ollama serve"),
  localServer("lmstudio", 1234, "start LM Studio's server first, with: lms server start"),
  localServer("vllm", 8000, "start vLLM first, with: vllm serve MODEL"),
  localServer("llamacpp", 8080, "start llama.cpp's server first, with: llama-server -m FILE"),
  { name: "openai-compatible", wire: "chat", keyVariables: [], key: "optional" },
  { name: "replay", wire: undefined, keyVariables: [], key: "none" },
];

export function findProvider(name: string): ProviderEntry | undefined {
  return providers.find((provider) => provider.name === name);
}

/** What a person says of a provider of their own. */
export type OwnProviders = Readonly<Record<string, { readonly api?: WireName | undefined }>>;

/**
 * A provider of the table, or one that `own` gives a wire. Throws `RunFailure` for any other name.
 */
export function providerNamed(
  name: string,
  own: OwnProviders = {},
  code: "config" | "usage" = "config",
): ProviderEntry {
  const found = findProvider(name);
  if (found !== undefined) return found;
  const wire = Object.hasOwn(own, name) ? own[name]!.api : undefined;
  if (wire !== undefined) return { name, wire, keyVariables: [], key: "optional" };
  const named = Object.keys(own).filter((name) => own[name]!.api !== undefined);
  const names = [...providers.map((provider) => provider.name), ...named];
  const guess = nearest(name, names);
  throw new RunFailure(
    code,
    `there is no provider named ${JSON.stringify(name)}${
      guess === undefined ? "" : ` (did you mean ${guess}?)`
    }; the providers are ${
      names.join(", ")
    }; one of your own needs providers.${name}.api and .endpoint`,
  );
}
