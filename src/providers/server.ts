/** The server that a provider's requests go to: address, key and headers, checked. */
import { RunFailure } from "../core/failure.ts";
import { type ProviderEntry, providerNamed, type WireName } from "./catalog.ts";
import type { ModelSpec } from "./create_model.ts";
import { type ParsedEndpoint, parseEndpoint, shownEndpoint } from "./http/endpoint.ts";
import type { Wire } from "./wires/wire.ts";

export interface Server {
  readonly entry: ProviderEntry & { readonly wire: WireName };
  readonly endpoint: ParsedEndpoint;
  readonly apiKey: string | undefined;
  /** The person's own, over all others. */
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerSpec = Pick<
  ModelSpec,
  "provider" | "endpoint" | "apiKey" | "keyAdvice" | "headers" | "fetch"
>;

export function entryOf({ provider }: Pick<ModelSpec, "provider">): ProviderEntry {
  return typeof provider === "string" ? providerNamed(provider) : provider;
}

/** Throws `RunFailure("config")` with one sentence where something is missing that a person must set. */
export function serverOf(spec: ServerSpec): Server {
  const entry = entryOf(spec);
  const { wire } = entry;
  if (wire === undefined) throw config(`provider ${entry.name} plays a cassette: it has no server`);
  const endpoint = spec.endpoint || entry.endpoint;
  if (endpoint === undefined) {
    throw config(
      `no endpoint for provider ${entry.name}: set providers.${entry.name}.endpoint in config.json, ` +
        "or use --endpoint URL",
    );
  }
  const parsed = parseEndpoint(endpoint);
  if (parsed === undefined) {
    throw config(
      `endpoint of ${entry.name}: expected an http or https address, found ${
        shownEndpoint(endpoint)
      }`,
    );
  }
  const apiKey = spec.apiKey?.trim() || undefined;
  if (apiKey === undefined && needsKey(entry, endpoint)) {
    const advice = spec.keyAdvice ?? `set ${entry.keyVariables.join(" or ")}`;
    throw config(`no key for provider ${entry.name}: ${advice}`);
  }
  const headers = spec.headers ?? {};
  checkHeader(`providers.${entry.name}.api_key`, "authorization", apiKey ?? "");
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(`providers.${entry.name}.headers.${name}`, name, value);
  }
  return { entry: { ...entry, wire }, endpoint: parsed, apiKey, headers };
}

/** What no message may show: the key, header values, and credentials of the address. */
export function secretsOf({ headers, endpoint, apiKey }: Server): string[] {
  // A short header is a word of the language rather than a secret.
  const secrets = [apiKey ?? "", ...Object.values(headers).filter((value) => value.length > 5)];
  if (endpoint.authorization !== undefined) {
    const encoded = endpoint.authorization.slice("Basic ".length);
    secrets.push(encoded, ...atob(encoded).split(":"));
  }
  for (const [, value] of new URLSearchParams(endpoint.query)) secrets.push(value);
  return secrets.filter((secret) => secret !== "");
}

/** Only the wire that is asked is loaded. */
export async function loadWire(name: WireName): Promise<Wire> {
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

export interface Address {
  readonly url: URL;
  readonly headers: Headers;
}

/** `wireHeaders` are those of the wire, under the person's own; the path may hold a query. */
export type AddressOf = (
  path: string,
  wireHeaders: Readonly<Record<string, string>>,
) => Address;

/** `addressOf` for requests that are mostly alike: the last address is kept. */
export function addressKeeper(server: Server): AddressOf {
  let key: string | undefined, kept: Address;
  return (path, headers) => {
    const asked = JSON.stringify([path, headers]);
    if (asked !== key) kept = addressOf(server, path, headers);
    key = asked;
    return kept;
  };
}

/** Address and headers of a request to `path` of the server, which may hold a query. */
export function addressOf(
  { endpoint, headers }: Pick<Server, "endpoint" | "headers">,
  ...[path, wireHeaders]: Parameters<AddressOf>
): Address {
  const url = new URL(endpoint.base + path);
  for (const [name, value] of new URLSearchParams(endpoint.query)) {
    url.searchParams.set(name, value);
  }
  const { authorization } = endpoint;
  const all = new Headers({ "user-agent": "nimlet" });
  const own = authorization === undefined ? {} : { authorization };
  for (const [name, value] of Object.entries({ ...wireHeaders, ...own, ...headers })) {
    all.set(name, value);
  }
  return { url, headers: all };
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
