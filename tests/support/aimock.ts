/**
 * A server by others that speaks every provider's wire, checks what it gets and fails on demand. It
 * runs in a worker: the connections and timers that it leaves open are none of a test's.
 */
import type { ChatMessage, LLMock } from "@copilotkit/aimock";

type On = Parameters<LLMock["on"]>;
/** When to answer, what with, and how it fails. */
export type Fixture = [match: On[0], response: Extract<On[1], object>, options?: On[2]];

export interface MockRequest {
  /** How it was answered: the status, or what was done to the connection. */
  readonly answer: number | string;
  /** What the server understood of the conversation, in one form for every wire. */
  readonly messages: readonly ChatMessage[];
}

export type ToMock =
  | { readonly kind: "start"; readonly key: string }
  | { readonly kind: "play"; readonly fixtures: readonly Fixture[] }
  | { readonly kind: "requests" };

export interface Mock {
  /** Without a path. */
  readonly url: string;
  /** Forgets all that was, and answers as `fixtures` say from now on. */
  play(...fixtures: Fixture[]): Promise<void>;
  /** What was asked since then. */
  requests(): Promise<MockRequest[]>;
}

/** Starts a server that takes the key `key` only. To be called outside of tests; it ends with them. */
export async function startMock(key: string): Promise<Mock> {
  const worker = new Worker(new URL("./aimock_worker.ts", import.meta.url), { type: "module" });
  globalThis.addEventListener("unload", () => worker.terminate());
  const ask = (message: ToMock) =>
    new Promise<unknown>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      worker.postMessage(message);
    });
  return {
    url: await ask({ kind: "start", key }) as string,
    play: async (...fixtures) => void await ask({ kind: "play", fixtures }),
    requests: async () => await ask({ kind: "requests" }) as MockRequest[],
  };
}
