/** The HTTP client, with the proxies and certificate authorities of the environment. */
import type { Environment } from "../core/host.ts";
import { RunFailure } from "../core/failure.ts";
import { readHead } from "./folders.ts";

const maxCertificateBytes = 16 * 1024 * 1024;

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
