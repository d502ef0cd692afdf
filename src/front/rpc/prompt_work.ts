/** The prompts that an RPC process works on, one at a time, and how they are stopped. */
import { type Conversation, type PromptInput, promptOf } from "../../core/conversation.ts";
import { Interruption } from "../../core/interruption.ts";

export interface PromptWork {
  readonly busy: boolean;
  /**
   * A client that has read the end of a run may begin the next at once: where a run's end has been
   * reported, waits until it is certain that nothing follows it.
   */
  settled(): Promise<void>;
  begin(prompt: PromptInput): void;
  /** Input waits that no client has sent; what runs takes it in. */
  wake(): void;
  interrupt(): void;
  /** Rejects with what cannot be sent to the client. */
  readonly broken: Promise<never>;
  /** Resolves when nothing is worked on any more. */
  over(): Promise<void>;
}

/** `signal` ends all work. */
export function promptWork(conversation: Conversation, signal: AbortSignal): PromptWork {
  let running: Promise<void> | undefined;
  let stop = new AbortController();
  let settling = Promise.withResolvers<void>();
  let isWoken = false;
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});

  async function work(first: PromptInput | undefined, stopped: AbortSignal): Promise<void> {
    isWoken = false;
    let next = first ?? await waiting();
    try {
      while (next !== undefined) {
        settling = Promise.withResolvers();
        const outcome = await conversation.prompt(next, stopped);
        // What came in just as the run ended has missed it, and is a prompt of its own.
        next = outcome.status === "done" ? await waiting() : undefined;
        if (next !== undefined) settling.resolve();
      }
    } finally {
      running = undefined;
      settling.resolve();
    }
    if (isWoken && !stopped.aborted) begin();
  }

  async function waiting(): Promise<PromptInput | undefined> {
    const input = await conversation.dequeue();
    return input && promptOf(input);
  }

  function begin(prompt?: PromptInput): void {
    stop = new AbortController();
    running = work(prompt, AbortSignal.any([stop.signal, signal]));
    running.catch(broken.reject);
  }

  return {
    get busy() {
      return running !== undefined;
    },
    async settled() {
      while (running !== undefined && !conversation.state().busy) await settling.promise;
    },
    begin,
    wake() {
      isWoken = true;
      if (running === undefined) begin();
    },
    interrupt: () => stop.abort(new Interruption("client")),
    broken: broken.promise,
    async over() {
      await running;
    },
  };
}
