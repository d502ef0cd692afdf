/** The order of commands: as they came, but that urgent ones do not wait for those that take long. */
import { Interruption } from "../../core/interruption.ts";
import type { Command } from "./commands.ts";

export interface CommandOrder {
  /** Resolves when the next line can be read; what takes long goes on meanwhile. */
  take(command: Command): Promise<void>;
  /** Calls `work` once no command is being worked on. */
  between(work: () => void): void;
  /** Aborts the command that is being worked on, and refuses those that wait. */
  interrupt(): Promise<void>;
  /** Rejects with what cannot be sent to the client. */
  readonly broken: Promise<never>;
  /** Resolves when every command that was taken has been answered. */
  done(): Promise<void>;
}

/** What waits for a command that takes long may have so much. */
const maxWaiting = 1000;
const maxWaitingLength = 32 * 1024 * 1024;

/** `handle` throws only what cannot be sent to the client. */
export function commandOrder(
  handle: (command: Command, signal: AbortSignal) => Promise<void>,
  refuse: (command: Command, error: string) => Promise<void>,
  signal: AbortSignal,
): CommandOrder {
  let waiting: Command[] = [], length = 0;
  let draining: Promise<void> | undefined;
  let stop = new AbortController();
  let handled = 0, later: (() => void) | undefined;
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});

  async function handleNext(command: Command): Promise<void> {
    stop = new AbortController();
    handled++;
    try {
      await handle(command, AbortSignal.any([stop.signal, signal]));
    } finally {
      handled--;
      workLater();
    }
  }

  function workLater(): void {
    if (handled > 0) return;
    const work = later;
    later = undefined;
    work?.();
  }

  async function drain(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const next = waiting.shift()!;
        length -= next.length;
        await handleNext(next);
      }
    } finally {
      draining = undefined;
    }
  }

  return {
    async take(command) {
      if (command.pace === "urgent") return await handle(command, signal);
      if (draining === undefined && command.pace !== "long") return await handleNext(command);
      if (waiting.length === maxWaiting || length + command.length > maxWaitingLength) {
        return await refuse(command, "too many commands wait: send fewer at once");
      }
      waiting.push(command);
      length += command.length;
      if (draining !== undefined) return;
      draining = drain();
      draining.catch(broken.reject);
    },
    between(work) {
      later = work;
      workLater();
    },
    async interrupt() {
      const refused = waiting;
      waiting = [];
      length = 0;
      stop.abort(new Interruption("client"));
      for (const command of refused) await refuse(command, "interrupted before it was begun");
    },
    broken: broken.promise,
    async done() {
      await draining;
    },
  };
}
