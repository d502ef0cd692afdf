/** One conversation with a server: its requests and their answers, and what the server asks for. */
import type { JsonObject } from "../core/json.ts";
import { answeredError, McpFailure } from "./failure.ts";
import {
  isErrorOfAny,
  type Message,
  readError,
  statelessMeta,
  statelessRevision,
  wireErrors,
} from "./protocol.ts";
import { progressText } from "./progress.ts";
import type { Transport } from "./transport.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Silence after which the request is given up; progress ends the silence. */
  readonly silenceMs?: number;
  /** Time after which it is given up whatever comes. */
  readonly longestMs?: number;
  onProgress?(text: string): void;
  /** Headers that only this request has, over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface SessionEvents {
  /** The server says that its tools are others now. */
  listChanged(): void;
  /** The server logs something. */
  logged(params: JsonObject): void;
  /** The server or the connection has ended. */
  closed(): void;
}

export interface Session {
  /** The answer to a request. Rejects with `McpFailure`. */
  ask(method: string, params: JsonObject, options: RequestOptions): Promise<unknown>;
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Which revision is spoken from here on; undefined while none is settled. */
  settle(revision: string | undefined): void;
  readonly revision: string | undefined;
  /** Of this program. */
  readonly version: string;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  progress(text: string): void;
}

/** Answers to requests of a server that does not read its answers. */
const maxOwnAnswers = 100;

/** `version` is that of this program. */
export function openSession(
  transport: Transport,
  version: string,
  events: SessionEvents,
): Session {
  const waiting = new Map<number, Waiting>();
  let lastId = 0, ended: string | undefined, revision: string | undefined, answering = 0;

  transport.open({
    message: take,
    tooLarge(bytes, id) {
      const failure = new McpFailure(
        "too large",
        `answered with more than 16777216 bytes (${bytes})`,
      );
      (id === undefined ? onlyOne() : waiting.get(id))?.reject(failure);
    },
    closed(reason) {
      ended = reason;
      events.closed();
      for (const request of waiting.values()) request.reject(new McpFailure("gone", reason));
    },
  });

  /** The request that waits, where it is the only one. */
  function onlyOne(): Waiting | undefined {
    const [only] = waiting.size === 1 ? waiting.values() : [];
    return only;
  }

  function take(message: Message): void {
    const { id, method, params = {}, result, error } = message;
    if (method === undefined) {
      // an answer to what was given up, or a second one, is nobody's
      const request = isErrorOfAny(message)
        ? onlyOne()
        : id === undefined || id === null
        ? undefined
        : waiting.get(Number(id));
      if (error !== undefined && error !== null) request?.reject(answeredError(readError(error)));
      else request?.resolve(result);
    } else if (id !== undefined && id !== null) answer(id, method);
    else if (method === "notifications/tools/list_changed") events.listChanged();
    else if (method === "notifications/message") events.logged(params);
    else if (method === "notifications/progress") {
      waiting.get(Number(params.progressToken))?.progress(progressText(params));
    }
  }

  /** What a server may ask of its client: nothing but a sign of life. */
  function answer(id: number | string, method: string): void {
    if (answering >= maxOwnAnswers) return;
    answering++;
    const message = `nimlet does not offer ${method.slice(0, 100)}`;
    const content = method === "ping"
      ? { result: {} }
      : { error: { code: wireErrors.methodNotFound, message } };
    transport.send({ jsonrpc: "2.0", id, ...content }).catch(() => {}).finally(() => answering--);
  }

  async function ask(
    method: string,
    params: JsonObject,
    { signal, silenceMs, longestMs, onProgress, headers }: RequestOptions,
  ): Promise<unknown> {
    if (ended !== undefined) throw new McpFailure("gone", ended);
    if (signal?.aborted) throw new McpFailure("cancelled", "was not asked");
    const id = ++lastId;
    const stop = new AbortController();
    const answered = Promise.withResolvers<unknown>();
    const giveUp = (failure: McpFailure) => {
      if (!waiting.delete(id)) return;
      answered.reject(failure);
      if (method !== "initialize" && !(isStateless() && transport.cancelsByClosing)) {
        notify("notifications/cancelled", { requestId: id, reason: failure.message })
          .catch(() => {});
      }
      stop.abort(failure);
    };
    const late = (ms: number) => () =>
      giveUp(new McpFailure("time-out", `gave no answer within ${ms / 1000} s`));
    const timer = (ms: number | undefined) =>
      ms === undefined ? undefined : setTimeout(late(ms), ms);
    let silence = timer(silenceMs);
    const longest = timer(longestMs);
    const onAbort = () => giveUp(new McpFailure("cancelled", "was told to stop"));
    signal?.addEventListener("abort", onAbort, { once: true });
    waiting.set(id, {
      ...answered,
      progress(text) {
        clearTimeout(silence);
        silence = timer(silenceMs);
        onProgress?.(text);
      },
    });
    const meta = {
      ...onProgress === undefined ? {} : { progressToken: id },
      ...isStateless() ? statelessMeta(version) : {},
    };
    const whole = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    transport.send({ jsonrpc: "2.0", id, method, params: whole }, stop.signal, headers)
      .catch(answered.reject);
    try {
      return await answered.promise;
    } finally {
      waiting.delete(id);
      clearTimeout(silence);
      clearTimeout(longest);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async function notify(method: string, params?: JsonObject): Promise<void> {
    await transport.send({ jsonrpc: "2.0", method, ...params === undefined ? {} : { params } });
  }

  const isStateless = () => revision === statelessRevision;

  return {
    ask,
    notify,
    version,
    settle(given) {
      revision = given;
      transport.settle(given);
    },
    get revision() {
      return revision;
    },
  };
}
