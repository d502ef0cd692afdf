/** A server over Streamable HTTP: one POST a message, answers as JSON or as a stream of events. */
import { toBase64 } from "../lib/base64.ts";
import { connectionReason } from "../lib/connection_reason.ts";
import { delay } from "../lib/delay.ts";
import { OversizedEvent, sseReader } from "../lib/sse.ts";
import { McpFailure } from "./failure.ts";
import { type Endpoint, httpExchange } from "./http_exchange.ts";
import {
  isErrorOfAny,
  maxMessageBytes,
  type Message,
  messagesIn,
  statelessRevision,
  wireErrors,
} from "./protocol.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** How often a broken stream is taken up again, and how long that waits. */
const maxReconnections = 5, usualRetryMs = 1000, longestRetryMs = 30_000;
/** The newest revision whose streams can be taken up again. */
const resumable = "2025-11-25";
/** For the farewell to a session. */
const farewellMs = 500;

/** Where a stream broke off. */
interface Place {
  id?: string;
  retryMs: number;
}

export function httpTransport(endpoint: Endpoint): Transport {
  const exchange = httpExchange(endpoint);
  const closing = new AbortController();
  let session: string | undefined, revision: string | undefined, events: TransportEvents;
  let closed: Promise<void> | undefined;

  const commonHeaders = () => ({
    ...session === undefined ? {} : { "mcp-session-id": session },
    ...revision === undefined ? {} : { "mcp-protocol-version": revision },
  });

  async function send(message: Message, signal: AbortSignal, headers: Record<string, string>) {
    if (message.method === "initialize") session = undefined;
    const response = await exchange.request({
      method: "POST",
      signal,
      body: JSON.stringify(message),
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        ...commonHeaders(),
        ...revision === statelessRevision ? statelessHeaders(message) : {},
        ...headers,
      },
    });
    if (!response.ok) {
      const had = session, refusal = await exchange.refusal(response);
      if (
        response.status === 404 && had !== undefined && refusal.code !== wireErrors.methodNotFound
      ) {
        session = undefined;
        throw new McpFailure("session gone", "has forgotten the session (404)");
      }
      throw refusal;
    }
    session = response.headers.get("mcp-session-id") ?? session;
    await readAnswer(response, message.method === undefined ? undefined : message.id, signal);
  }

  async function readAnswer(response: Response, id: Message["id"], signal: AbortSignal) {
    if (id === undefined || id === null) return await response.body?.cancel();
    const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type === "text/event-stream") return await readStream(response, id, signal);
    if (type !== "application/json") {
      await response.body?.cancel();
      const found = type === undefined ? "no content type" : type.slice(0, 100);
      throw new McpFailure("protocol", `answered with ${found} instead of JSON or events`);
    }
    const messages = messagesIn(await wholeBody(response));
    if (messages === undefined) {
      throw new McpFailure("protocol", "answered with no JSON-RPC message");
    }
    messages.forEach((message) => take(message, id));
    if (!messages.some((message) => answers(message, id))) {
      throw new McpFailure("protocol", "answered without an answer to the request");
    }
  }

  /** An error that names no request is the answer to the one it came with. */
  function take(message: Message, id: number | string) {
    events.message(isErrorOfAny(message) ? { ...message, id } : message);
  }

  async function readStream(response: Response, id: number | string, signal: AbortSignal) {
    const place: Place = { retryMs: usualRetryMs };
    let answered = await readEvents(response, id, place);
    for (let n = 0; !answered && place.id !== undefined && n < maxReconnections; n++) {
      if (revision !== undefined && revision > resumable) break;
      await delay(place.retryMs, signal);
      // whatever comes of it: the request itself was made, so its end is not known
      const again = await exchange.request({
        method: "GET",
        signal,
        headers: { accept: "text/event-stream", ...commonHeaders(), "last-event-id": place.id },
      }).catch((error) => {
        if (!(error instanceof McpFailure)) throw error;
        return undefined;
      });
      if (again === undefined) continue;
      if (!again.ok) {
        await again.body?.cancel();
        break;
      }
      answered = await readEvents(again, id, place);
    }
    signal.throwIfAborted();
    if (!answered) throw new McpFailure("gone", "closed the connection");
  }

  /** Passes on the messages of a stream of events; true once the answer to `id` was among them. */
  async function readEvents(
    response: Response,
    id: number | string,
    place: Place,
  ): Promise<boolean> {
    let answered = false;
    const reader = sseReader(({ data, id: at }) => {
      if (at !== undefined && at !== "") place.id = at;
      for (const message of messagesIn(data) ?? []) {
        if (answers(message, id)) answered = true;
        take(message, id);
      }
    }, {
      retry: (ms) => place.retryMs = Math.min(ms, longestRetryMs),
      maxChars: maxMessageBytes,
    });
    const decoder = new TextDecoder();
    try {
      for await (const piece of response.body ?? []) {
        reader.push(decoder.decode(piece, { stream: true }));
        // what a server sends after the answer is not waited for
        if (answered) return true;
      }
      reader.end();
    } catch (error) {
      if (error instanceof OversizedEvent) throw tooLarge();
      // a stream that breaks is taken up again, or has ended
    }
    return answered;
  }

  return {
    open(given) {
      events = given;
    },
    async send(message, signal, headers = {}) {
      const both = AbortSignal.any([closing.signal, ...signal === undefined ? [] : [signal]]);
      await send(message, both, headers);
    },
    settle(given) {
      revision = given;
    },
    close() {
      return closed ??= (async () => {
        if (session !== undefined) {
          await exchange.request({
            method: "DELETE",
            signal: AbortSignal.timeout(farewellMs),
            headers: commonHeaders(),
          }).then((response) => response.body?.cancel()).catch(() => {
            // a farewell that nobody hears changes nothing
          });
        }
        closing.abort();
      })();
    },
    cancelsByClosing: true,
    hide: exchange.hide,
    words: { errors: "", strayLines: [] },
  };
}

function answers(message: Message, asked: number | string): boolean {
  const { id, method } = message;
  return method === undefined && (String(id) === String(asked) || isErrorOfAny(message));
}

function tooLarge(): McpFailure {
  return new McpFailure("too large", `answered with more than ${maxMessageBytes} bytes`);
}

async function wholeBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "", size = 0;
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > maxMessageBytes) throw tooLarge();
      text += decoder.decode(piece, { stream: true });
    }
  } catch (error) {
    if (error instanceof McpFailure) throw error;
    throw new McpFailure("gone", `lost the connection (${connectionReason(error)})`);
  }
  return text + decoder.decode();
}

/** What a server of the stateless revision wants to see without reading the body. */
function statelessHeaders({ method, params = {} }: Message): Record<string, string> {
  const name = params.name ?? params.uri;
  return {
    ...method === undefined ? {} : { "mcp-method": method },
    ...typeof name === "string" ? { "mcp-name": headerText(name) } : {},
  };
}

/** Plain ASCII as it is, anything else in the protocol's Base64 form. */
export function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) &&
    !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${toBase64(new TextEncoder().encode(text))}?=`;
}
