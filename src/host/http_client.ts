/** The HTTP client, with the proxies and certificate authorities of the environment. */
import type { Environment } from "../core/host.ts";
import { RunFailure } from "../core/failure.ts";

/**
 * A `fetch` for this environment. Proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) are the
 * runtime's own work; a certificate authority named in `NIMLET_CA_CERT` or `SSL_CERT_FILE` is
 * trusted beside the usual ones. Its file is read at the first https request. A fetch throws
 * `RunFailure("config")` where the file cannot be used.
 */
export function httpFetch(
  env: Pick<Environment, "get"> = { get: (name) => Deno.env.get(name) },
): typeof fetch {
  const variable = ["NIMLET_CA_CERT", "SSL_CERT_FILE"].find((name) => env.get(name));
  const path = variable && env.get(variable);
  if (!variable || !path) return fetch;
  let client: Deno.HttpClient | undefined;
  return (input, init) => {
    // Without encryption there is nothing to trust, and reading authorities takes time.
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith("https:")) return fetch(input, init);
    client ??= Deno.createHttpClient({ caCerts: certificates(path, variable) });
    return fetch(input, { ...init, client });
  };
}

function certificates(path: string, variable: string): string[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw unusable(path, variable, error instanceof Error ? error.message : String(error));
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  if (found === null) throw unusable(path, variable, "it holds no PEM certificate");
  return found;
}

function unusable(path: string, variable: string, reason: string): RunFailure {
  return new RunFailure(
    "config",
    `${variable}: cannot use ${path}: ${reason.split(/ \(os error|\n/)[0]}.`,
  );
}
