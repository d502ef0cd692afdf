/** One request to a server over HTTP: headers, credentials, redirects, and what a refusal says. */
import { RunFailure } from "../core/failure.ts";
import { connectionReason } from "../lib/connection_reason.ts";
import { delay } from "../lib/delay.ts";
import { McpFailure } from "./failure.ts";
import { messagesIn, readError, type WireError } from "./protocol.ts";

export interface Endpoint {
  readonly url: string;
  /** Those of the settings; asked for when they are used. */
  headers(): Readonly<Record<string, string>>;
  /** The token for `Authorization`; `renew` where the last one was refused. Absent: there is none. */
  token?(renew: boolean, signal: AbortSignal): Promise<string>;
  /** For what the server says to people. */
  hide(text: string, token?: string): string;
  /** The setting that gives the token. */
  readonly tokenSetting?: "bearer_command" | "bearer_token";
  readonly fetch: typeof fetch;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const maxHops = 3;
/** Beyond that a server that wants to be asked later is not waited for. */
const longestRetrySeconds = 10;
const maxRefusalBytes = 64 * 1024;

export interface Exchange {
  /** The answer, with any status. Rejects with `McpFailure` for a connection that fails or a redirect elsewhere. */
  request(request: HttpRequest): Promise<Response>;
  /** A text without the secrets of the settings, and without the token. */
  hide(text: string): string;
  /** What an answer that is no success says. */
  refusal(response: Response): Promise<McpFailure>;
}

export function httpExchange(endpoint: Endpoint): Exchange {
  let { url } = endpoint, lastToken: string | undefined;

  async function once(request: HttpRequest, renew: boolean): Promise<Response> {
    const token = lastToken = await endpoint.token?.(renew, request.signal);
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw new McpFailure("refused", `cannot be asked: ${endpoint.tokenSetting} gives no token`);
    }
    for (let hops = 0;; hops++) {
      const response = await send(request, token);
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      const next = hops < maxHops ? sameServer(url, location, response.status) : undefined;
      if (next === undefined) throw elsewhere(url, location, response.status);
      // `/mcp` that wants to be `/mcp/`: known from now on
      url = next;
    }
  }

  async function send({ method, headers, body, signal }: HttpRequest, token: string | undefined) {
    const own = sendable(endpoint.headers());
    try {
      return await endpoint.fetch(url, {
        method,
        signal,
        ...body === undefined ? {} : { body },
        // a redirect must not carry the headers elsewhere
        redirect: "manual",
        headers: {
          ...own,
          ...token === undefined ? {} : { authorization: `Bearer ${token}` },
          ...headers,
        },
      });
    } catch (error) {
      if (signal.aborted || error instanceof RunFailure) throw error;
      throw connectionFailure(error);
    }
  }

  return {
    hide: (text) => endpoint.hide(text, lastToken),
    refusal: (response) => refusalOf(response, endpoint, lastToken),
    async request(request) {
      let response = await once(request, false);
      if (response.status === 401 && endpoint.tokenSetting === "bearer_command") {
        await response.body?.cancel();
        response = await once(request, true);
      }
      const seconds = Number(response.headers.get("retry-after") ?? NaN);
      if ([429, 503].includes(response.status) && seconds >= 0 && seconds <= longestRetrySeconds) {
        await response.body?.cancel();
        await delay(seconds * 1000, request.signal);
        response = await once(request, false);
      }
      return response;
    },
  };
}

/** The headers of the settings; one that HTTP cannot carry is named, without its value. */
function sendable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const odd = Object.entries(headers).find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value));
  if (odd === undefined) return headers;
  throw new McpFailure(
    "refused",
    `cannot be asked: headers.${odd[0]} holds a character that no header can`,
  );
}

/** A connection that could not be made has carried nothing. */
function connectionFailure(error: unknown): McpFailure {
  const reason = connectionReason(error);
  const { cause = error } = error as Error;
  const isMade = !/client error \(Connect\)|are blocked/.test(String(cause));
  return isMade
    ? new McpFailure("gone", `lost the connection (${reason})`)
    : new McpFailure("refused", `cannot be reached: ${reason}`);
}

/** Where a redirect leads, if it stays at the origin, or goes from http to https of the same host. */
function sameServer(from: string, location: string, status: number): string | undefined {
  const old = new URL(from), next = URL.parse(location, from);
  if (next === null || status !== 307 && status !== 308) return undefined;
  const isUpgrade = old.protocol === "http:" && next.protocol === "https:" &&
    old.hostname === next.hostname;
  return next.origin === old.origin || isUpgrade ? next.href : undefined;
}

function elsewhere(from: string, location: string, status: number): McpFailure {
  const next = URL.parse(location, from);
  const where = next === null ? "an address that is none" : next.origin;
  return new McpFailure("refused", `moved to ${where}: put that address into url`, { status });
}

async function refusalOf(
  response: Response,
  endpoint: Endpoint,
  token: string | undefined,
): Promise<McpFailure> {
  const { status } = response;
  const error = errorIn(await startOf(response));
  const options = { status, ...error === undefined ? {} : { error } };
  const words = error === undefined ? "" : `: ${endpoint.hide(error.message, token).slice(0, 500)}`;
  if (status !== 401 && status !== 403) {
    return new McpFailure("refused", `answered ${status}${words}`, options);
  }
  const hasHeader = Object.keys(endpoint.headers()).some((name) =>
    name.toLowerCase() === "authorization"
  );
  const setting = endpoint.tokenSetting ?? (hasHeader ? "headers" : undefined);
  if (setting !== undefined) {
    const sentence = `refuses the credentials (${status}) that ${setting} gives${words}`;
    return new McpFailure("refused", sentence, options);
  }
  const named = /resource_metadata="?(https?:\/\/[^"\s,?#]+)/
    .exec(response.headers.get("www-authenticate") ?? "")?.[1];
  const login = named === undefined ? "" : `; it describes its login at ${named.slice(0, 200)}`;
  const sentence = `wants a login (${status}): set bearer_token or bearer_command${login}`;
  return new McpFailure("refused", sentence, options);
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > maxRefusalBytes) break;
    }
  } catch {
    // what came until then is enough
  }
  return text;
}

function errorIn(text: string): WireError | undefined {
  const [message] = messagesIn(text) ?? [];
  return (message?.error ?? undefined) === undefined ? undefined : readError(message!.error);
}
