/** The children that live, for whoever has to end them with the program. */
import type { Host } from "../../core/host.ts";

export interface ChildListener {
  /** `marker` is what the child's environment carries. */
  started(pid: number, marker: string): void;
  ended(pid: number): void;
}

export interface LiveChildren {
  /** Gives what takes the child off the list. */
  add(pid: number, marker: string): () => void;
  /** Reports those that live, and all changes from here on. */
  follow(listener: ChildListener): void;
}

/** Where a child is put down while it runs. */
export interface ProcessList {
  readonly platform: Host["platform"];
  /** What ends each program that runs. */
  readonly running: Set<() => Promise<void>>;
  readonly children: LiveChildren;
}

export function liveChildren(): LiveChildren {
  const living = new Map<number, string>();
  const listeners: ChildListener[] = [];
  return {
    add(pid, marker) {
      living.set(pid, marker);
      for (const listener of listeners) listener.started(pid, marker);
      return () => {
        living.delete(pid);
        for (const listener of listeners) listener.ended(pid);
      };
    },
    follow(listener) {
      listeners.push(listener);
      for (const [pid, marker] of living) listener.started(pid, marker);
    },
  };
}
