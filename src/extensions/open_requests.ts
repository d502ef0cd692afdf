/** Requests that wait for their answer: which are sent, and whose time runs. */
import { ExtensionFailure } from "./failure.ts";
import type { Response } from "./protocol.ts";

export type RequestKind = "event" | "tool" | "command";

export interface RequestOptions {
  /** Of silence; absent for no limit. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  onUpdate?(content: string): void;
}

interface OpenRequest {
  readonly id: string;
  readonly kind: RequestKind;
  readonly options: RequestOptions;
  readonly began: number;
  readonly send: () => void;
  isSent: boolean;
  timer?: ReturnType<typeof setTimeout> | undefined;
  settle(outcome: unknown): void;
}

const maxInFlight = 32;
/** However often a call reports. */
const maxCallMs = 24 * 60 * 60 * 1000;

export interface OpenRequests {
  /** Rejects with an `ExtensionFailure`, or the reason of the signal. */
  add(kind: RequestKind, send: (id: string) => void, options: RequestOptions): Promise<Response>;
  /** False for an id that nothing waits for. */
  answer(id: string, outcome: Response | ExtensionFailure): boolean;
  update(id: string, content: string): void;
  failAll(failure: ExtensionFailure): void;
}

/** `cancel` is called for a request that is given up. */
export function openRequests(cancel: (id: string) => void, now: () => number): OpenRequests {
  /** In the order in which they came. */
  const open = new Map<string, OpenRequest>();
  let last = 0;

  const oldestOf = (kind: RequestKind) => {
    for (const request of open.values()) if (request.kind === kind) return request;
    return undefined;
  };

  /** An extension that works in turn is not punished for those that wait: only the oldest one's time runs. */
  function runClock(kind: RequestKind): void {
    const request = oldestOf(kind);
    if (request === undefined || !request.isSent || request.timer !== undefined) return;
    const { timeoutMs } = request.options;
    if (timeoutMs === undefined) return;
    const left = kind === "tool" ? Math.max(0, request.began + maxCallMs - now()) : Infinity;
    request.timer = setTimeout(() => {
      cancel(request.id);
      request.settle(
        new ExtensionFailure("time-out", `did not answer within ${timeoutMs / 1000} s`),
      );
    }, Math.min(timeoutMs, left));
  }

  function sendWaiting(): void {
    let inFlight = 0;
    for (const request of open.values()) {
      if (!request.isSent && inFlight < maxInFlight) {
        request.isSent = true;
        request.send();
        runClock(request.kind);
      }
      if (request.isSent) inFlight++;
    }
  }

  return {
    add(kind, send, options) {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      const { signal } = options;
      const id = `n${++last}`;
      const onAbort = () => {
        if (request.isSent) cancel(id);
        request.settle(signal.reason);
      };
      const request: OpenRequest = {
        id,
        kind,
        options,
        began: now(),
        send: () => send(id),
        isSent: false,
        settle(outcome) {
          if (!open.delete(id)) return;
          clearTimeout(request.timer);
          signal.removeEventListener("abort", onAbort);
          if (isResponse(outcome)) resolve(outcome);
          else reject(outcome);
          sendWaiting();
          runClock(kind);
        },
      };
      if (signal.aborted) return Promise.reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      open.set(id, request);
      sendWaiting();
      runClock(kind);
      return promise;
    },
    answer(id, outcome) {
      const request = open.get(id);
      if (request === undefined || !request.isSent) return false;
      request.settle(outcome);
      return true;
    },
    update(id, content) {
      const request = open.get(id);
      if (request === undefined || request.kind !== "tool") return;
      request.options.onUpdate?.(content);
      if (request.timer === undefined) return;
      clearTimeout(request.timer);
      request.timer = undefined;
      runClock("tool");
    },
    failAll(failure) {
      // what is settled lets the next one be sent: those are ended first
      for (const request of [...open.values()].reverse()) request.settle(failure);
    },
  };
}

function isResponse(outcome: unknown): outcome is Response {
  return typeof outcome === "object" && outcome !== null && "type" in outcome &&
    outcome.type === "response";
}
