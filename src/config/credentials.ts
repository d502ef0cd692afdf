/** Chooses the key of a provider: auth.json, and the order of the sources of keys. */
import { dirname } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { Environment } from "../core/host.ts";
import { isJsonObject } from "../core/json.ts";
import { checkValue, describe } from "./check.ts";
import { authPath } from "./home.ts";
import { lineOf, readJsonFile } from "./json_file.ts";
import type { LoadedConfig } from "./load.ts";
import { resolveSecret } from "./secret.ts";
import { authTable } from "./settings.ts";

export interface AuthFile {
  readonly path: string;
  /** Keys by provider. */
  readonly keys: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

export interface FoundKey {
  readonly key: string;
  /** Where it is from, for people: a flag, a variable, or a file with the key's path. */
  readonly source: string;
}

export interface KeySources {
  /** `--api-key` */
  readonly flag?: string | undefined;
  readonly config: Pick<LoadedConfig, "providers" | "sources">;
  readonly auth: AuthFile | undefined;
  readonly env: Environment;
  /** The provider's own variables, the first that is set counts. */
  readonly keyVariables: readonly string[];
}

/**
 * The key for `provider`: flag, `providers.<name>.api_key`, auth.json, environment, in this order;
 * empty ones count as not there. Throws `RunFailure("config")` for a reference that leads nowhere and
 * for a key that no header can carry.
 */
export function findKey(provider: string, sources: KeySources): FoundKey | undefined {
  for (const found of candidates(provider, sources)) {
    const key = found.key.trim();
    if (key === "") continue;
    if (/[^\x20-\x7e]/.test(key)) {
      throw new RunFailure(
        "config",
        `the key for ${provider} from ${found.source} holds a line break or another character that ` +
          "no HTTP header can carry; set it again without it",
      );
    }
    return { key, source: found.source };
  }
  return undefined;
}

/** What to do where a provider needs a key and has none. */
export function keyAdvice(
  provider: string,
  sources: Pick<KeySources, "env" | "keyVariables">,
  home: string | undefined,
): string {
  const [first] = sources.keyVariables;
  const empty = sources.keyVariables.find((name) => sources.env.get(name)?.trim() === "");
  const ways = [
    ...first === undefined ? [] : [`set ${first}`],
    home === undefined ? "use --api-key" : `add ${JSON.stringify(provider)} to ${authPath(home)}`,
  ];
  return (empty === undefined ? "" : `${empty} is set but empty; `) + ways.join(", or ");
}

/** Reads auth.json in nimlet's own folder; undefined where there is none. */
export async function loadAuth(home: string | undefined): Promise<AuthFile | undefined> {
  if (home === undefined) return undefined;
  const path = authPath(home);
  const file = await readJsonFile(path);
  if (file === undefined) return undefined;
  const keys = new Map<string, string>(), warnings: string[] = [];
  if (file.mode !== undefined && (file.mode & 0o077) !== 0) {
    warnings.push(`${path} can be read by others; run chmod 600 ${path}`);
  }
  for (const [provider, entry] of Object.entries(file.value)) {
    if (provider === "$schema") continue;
    const wrong = async (key: string, expected: string, found: string) => {
      const line = await lineOf(file.text, [provider, ...key === "" ? [] : [key]]);
      const where = [provider, key].filter((part) => part !== "").join(".");
      return `${path}: ${where}: expected ${expected}, found ${found}` +
        (line === undefined ? "" : ` (line ${line})`);
    };
    if (!isJsonObject(entry)) {
      throw new RunFailure("config", await wrong("", "an object", describe(entry, true)));
    }
    const type = checkValue(authTable.type, entry.type ?? "api_key");
    if (!("value" in type)) {
      // Another program's kind of entry: kept, not used.
      warnings.push(await wrong("type", type.expected, describe(entry.type ?? null)));
      continue;
    }
    const key = checkValue(authTable.key, entry.key ?? null);
    if (!("value" in key)) {
      const found = entry.key === undefined ? "nothing" : describe(entry.key, true);
      throw new RunFailure("config", await wrong("key", key.expected, found));
    }
    keys.set(provider, key.value as string);
  }
  return { path, keys, warnings };
}

function* candidates(provider: string, sources: KeySources): Generator<FoundKey> {
  if (sources.flag !== undefined) yield { key: sources.flag, source: "--api-key" };
  const key = `providers.${provider}.api_key`;
  const text = sources.config.providers[provider]?.api_key;
  const source = sources.config.sources.get(key);
  if (text !== undefined && text.trim() !== "" && source !== undefined) {
    const { env } = sources;
    const [from, folder] = "file" in source
      ? [source.file, dirname(source.file)]
      : ["--set", env.cwd];
    yield { key: resolveSecret(text, { key, from, folder, env }), source: `${from}: ${key}` };
  }
  const stored = sources.auth?.keys.get(provider);
  if (stored !== undefined) yield { key: stored, source: sources.auth!.path };
  for (const name of sources.keyVariables) {
    const value = sources.env.get(name);
    if (value !== undefined) yield { key: value, source: name };
  }
}
