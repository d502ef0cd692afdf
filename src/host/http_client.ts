/** The HTTP client, with the proxies and certificate authorities of the environment. */
import type { Environment } from "../core/host.ts";
import { RunFailure } from "../core/failure.ts";
import { isExcluded } from "../lib/no_proxy.ts";
import { readHead } from "./folders.ts";

type Variables = Pick<Environment, "get">;

const ownVariables: Variables = { get: (name) => Deno.env.get(name) };

const maxCertificateBytes = 16 * 1024 * 1024;

/**
 * A `fetch` for this environment. Requests go through the proxy that `proxyFor` names; a certificate
 * authority named in `NIMLET_CA_CERT` or `SSL_CERT_FILE` is trusted beside the usual ones. Its file is
 * read at the first https request. A fetch throws `RunFailure("config")` where the file cannot be used.
 */
export function httpFetch(env: Variables = ownVariables): typeof fetch {
  const variable = ["NIMLET_CA_CERT", "SSL_CERT_FILE"].find((name) => env.get(name));
  const path = variable && env.get(variable);
  const clients = new Map<string, Deno.HttpClient>();
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    // Without encryption there is nothing to trust, and reading authorities takes time.
    const trusts = url.protocol === "https:" && variable !== undefined && path !== undefined;
    const direct = proxyVariable(url, env) !== undefined && proxyFor(url, env) === undefined;
    if (!trusts && !direct) return fetch(input, init);
    const kind = `${trusts} ${direct ? url.hostname : ""}`;
    let client = clients.get(kind);
    if (client === undefined) {
      const options = trusts ? { caCerts: certificates(path, variable) } : {};
      client = direct ? directClient(url, options) : Deno.createHttpClient(options);
      clients.set(kind, client);
    }
    return fetch(input, { ...init, client });
  };
}

/** The proxy that requests to `url` go through, without its credentials; undefined: none. */
export function proxyFor(
  url: URL,
  env: Variables = ownVariables,
): { readonly variable: string; readonly address: string } | undefined {
  const variable = proxyVariable(url, env);
  const excluded = env.get("no_proxy") ?? env.get("NO_PROXY") ?? "";
  if (variable === undefined || isExcluded(url.hostname, excluded)) return undefined;
  const value = env.get(variable)!;
  const proxy = URL.parse(value.includes("://") ? value : `http://${value}`);
  return { variable, address: proxy === null ? "that is no address" : proxy.host };
}

function proxyVariable({ protocol }: URL, env: Variables): string | undefined {
  const names = protocol === "https:"
    ? ["https_proxy", "HTTPS_PROXY"]
    : ["http_proxy", "HTTP_PROXY"];
  return [...names, "all_proxy", "ALL_PROXY"].find((name) => env.get(name));
}

/**
 * A client that asks the host of `url` itself. The runtime's own reading of NO_PROXY knows fewer
 * forms, so it is given the host by name while the client is made; nothing else runs meanwhile.
 */
function directClient({ hostname }: URL, options: Deno.CreateHttpClientOptions): Deno.HttpClient {
  const before = ["no_proxy", "NO_PROXY"].map((name) => [name, Deno.env.get(name)] as const);
  try {
    for (const [name] of before) Deno.env.set(name, hostname.replace(/^\[|\]$/g, ""));
    return Deno.createHttpClient(options);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}

function certificates(path: string, variable: string): string[] {
  const unusable = (problem: string) =>
    new RunFailure("config", `${variable}: cannot use ${path}: it ${problem}.`);
  const file = readHead(path, maxCertificateBytes);
  if (file.kind === "missing") throw unusable("does not exist");
  if (file.kind === "unreadable") throw unusable(file.reason);
  if (file.size > maxCertificateBytes) {
    throw unusable(`has ${file.size} bytes, at most ${maxCertificateBytes} are expected`);
  }
  const found = certificatesIn(new TextDecoder().decode(file.bytes));
  if (found.length === 0) throw unusable("holds no PEM certificate");
  return found;
}

function certificatesIn(text: string): string[] {
  const first = "-----BEGIN CERTIFICATE-----", last = "-----END CERTIFICATE-----";
  const found: string[] = [];
  for (let end = 0;;) {
    const start = text.indexOf(first, end), close = text.indexOf(last, start);
    if (start < 0 || close < 0) return found;
    end = close + last.length;
    found.push(text.slice(start, end));
  }
}
