/** The search workers: started when first needed, kept for a while, ended when idle. */
import { workerUrl } from "../assets.ts";
import type { FromWorker, ToWorker } from "./worker_protocol.ts";

export interface PoolClient {
  onAnswer(message: Extract<FromWorker, { kind: "answer" }>): void;
  /** A thread's worker was ended and there is a new one, which knows nothing yet. */
  onReplaced(thread: number): void;
  /** A worker is gone that was not asked to go. */
  onFailure(error: Error): void;
}

export interface WorkerPool {
  /** A new search; its number is part of every message. */
  open(client: PoolClient): number;
  close(search: number): void;
  /** Starts workers until there are `count`; they are the threads 1 to `count`. */
  ensure(count: number): void;
  /** How many workers there are, of searches before. */
  count(): number;
  post(thread: number, message: ToWorker): void;
  /** Ends the thread's worker, whatever it is doing; a new one takes its place where one is needed. */
  replace(thread: number): void;
}

export function createWorkerPool(): WorkerPool {
  const workers: Worker[] = [];
  const clients = new Map<number, PoolClient>();
  let searches = 0;

  const endAll = () => {
    for (const worker of workers.splice(0)) worker.terminate();
  };
  const start = (): Worker => {
    const worker = new Worker(workerUrl(), { type: "module", name: "search" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === "answer") clients.get(data.search)?.onAnswer(data);
      else if (clients.size === 0) endAll();
    };
    worker.onerror = (event) => {
      // Without this the failure would end the whole program.
      event.preventDefault();
      const at = workers.indexOf(worker);
      if (at < 0) return;
      for (const lost of workers.splice(at)) lost.terminate();
      for (const client of clients.values()) client.onFailure(new Error(event.message));
    };
    return worker;
  };

  return {
    open(client) {
      clients.set(++searches, client);
      return searches;
    },
    close(search) {
      clients.delete(search);
      for (const worker of workers) worker.postMessage({ kind: "end", search } satisfies ToWorker);
    },
    ensure(count) {
      while (workers.length < count) workers.push(start());
    },
    count: () => workers.length,
    post: (thread, message) => workers[thread - 1]?.postMessage(message),
    replace(thread) {
      // A start takes a while, so nobody starts one that nobody waits for.
      if (clients.size === 0) {
        endAll();
        return;
      }
      workers[thread - 1]?.terminate();
      workers[thread - 1] = start();
      for (const client of clients.values()) client.onReplaced(thread);
    },
  };
}
