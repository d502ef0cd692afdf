/** Asks a server which models it offers. */
import type { Json } from "../core/json.ts";
import type { OfferedModel } from "../core/model_manager.ts";
import type { Fault } from "./http/fault.ts";
import { failureOf } from "./http/failure.ts";
import { fetchMoved, startOf, unsuccessful } from "./http/fetch_moved.ts";
import {
  addressOf,
  loadWire,
  secretsOf,
  type Server,
  serverOf,
  type ServerSpec,
} from "./server.ts";
import type { ModelPage } from "./wires/model_list.ts";

/** OpenRouter's list has some 500 kB. */
const maxPageBytes = 16 * 1024 * 1024;
const maxPages = 50;
const patienceMs = 30_000;

/**
 * The models that the provider's server offers, sorted by id: `GET /models` of its endpoint. Servers
 * also take names that they do not list (aliases, variants), so a name that is missing may be good.
 * Throws `RunFailure("config")` where something is not set, `ModelError` where the server does not
 * give a list, and the signal's reason.
 */
export async function listModels(
  spec: ServerSpec,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const server = serverOf(spec);
  const [{ modelList }, { httpFetch, proxyFor }] = await Promise.all([
    loadWire(server.entry.wire),
    import("../host/http_client.ts"),
  ]);
  const fetchIt = spec.fetch ?? httpFetch();
  const found = new Map<string, OfferedModel>();
  const patience = AbortSignal.timeout(patienceMs);
  const stop = AbortSignal.any([signal, patience]);
  let next: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const { path, headers } = modelList.request(server.apiKey, next);
    const address = addressOf(server, path, headers);
    const page = await readPage(fetchIt, address, modelList.read, stop);
    signal.throwIfAborted();
    if ("type" in page) {
      const proxy = proxyFor(address.url);
      const fault: Fault = patience.aborted
        ? {
          type: "connection",
          error: new Error(`nothing came for ${patienceMs / 1000} s`),
          started: false,
        }
        : page;
      throw failureOf(fault, contextOf(server, proxy && `${proxy.address} (${proxy.variable})`));
    }
    for (const model of page.models) found.set(model.id, model);
    if (page.next === undefined || page.next === next) break;
    next = page.next;
  }
  return [...found.values()].sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function contextOf(server: Server, proxy: string | undefined) {
  return {
    provider: server.entry.name,
    model: undefined,
    endpoint: server.endpoint.base,
    hasKey: server.apiKey !== undefined,
    secrets: secretsOf(server),
    tools: [],
    now: Date.now(),
    ...proxy === undefined ? {} : { proxy },
  };
}

async function readPage(
  fetchIt: typeof fetch,
  { url, headers }: { url: URL; headers: Headers },
  read: (answer: Json) => ModelPage | undefined,
  signal: AbortSignal,
): Promise<ModelPage | Fault> {
  let response: Response;
  try {
    response = await fetchMoved(fetchIt, url, { headers, signal });
  } catch (error) {
    return { type: "connection", error, started: false };
  }
  if (!response.ok) return await unsuccessful(response, url);
  const { text, isWhole, failure } = await startOf(response, maxPageBytes);
  if (failure !== undefined) return { type: "connection", error: failure, started: true };
  if (!isWhole) return { type: "protocol", problem: `is larger than ${maxPageBytes} bytes` };
  if (/^\s*</.test(text)) return { type: "protocol", problem: "is a web page" };
  return read(parsed(text)) ?? { type: "protocol", problem: "is not a list of models" };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
