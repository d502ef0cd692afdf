/** Finds and signals everything that a child process has started. */
import type { Host } from "../../core/host.ts";
import {
  adopted,
  type CallTraces,
  canLook,
  type LivingProcesses,
  outputsOf,
  scan,
} from "./linux_processes.ts";

/** Carried in the environment of every child, so that what leaves its session is found as well. */
export const markerVariable = "NIMLET_PROCESS";

/** A child's mark: its own, after those of the programs that this one runs within. */
export function newMarker(inherited: string | undefined): { own: string; all: string } {
  const own = crypto.randomUUID();
  return { own, all: inherited ? `${inherited.slice(-200)}:${own}` : own };
}

/** Only the child's own session (or group), or also what left it. */
export type TreeScope = "session" | "all";

export interface ProcessTree {
  /**
   * The processes of the tree that live; empty where none does or none can be seen. With
   * `byPipes`, which takes longer, also those that merely hold the child's output pipes.
   */
  look(byPipes?: boolean): LivingProcesses;
  /** Processes that may be of the tree: left to the system since it began, in the child's folder. */
  suspects(): readonly number[];
  /** Sends a signal to every process that lives. */
  signal(name: "SIGTERM" | "SIGKILL", scope: TreeScope): void;
}

/** The processes within `scope`. */
export function within(scope: TreeScope, { session, strays }: LivingProcesses): readonly number[] {
  return scope === "session" ? session : [...session, ...strays];
}

/**
 * The tree below the session leader `root`, started just now in `folder`; `marker` is what its
 * environment carries.
 */
export function processTree(
  root: number,
  marker: string,
  folder: string,
  platform: Host["platform"],
): ProcessTree {
  switch (platform) {
    case "linux":
      // without /proc only the group as a whole can be asked
      return canLook() ? linuxTree(root, marker, folder) : groupTree(root);
    case "darwin":
      return groupTree(root);
    case "windows":
      return windowsTree(root);
  }
}

function linuxTree(root: number, marker: string, folder: string): ProcessTree {
  const traces: CallTraces = {
    root,
    marker: new TextEncoder().encode(marker),
    outputs: outputsOf(root),
  };
  const look = (byPipes = false) => scan(traces, byPipes);
  return {
    look,
    suspects() {
      const known = new Set(within("all", look(true)));
      return adopted(root, folder).filter((pid) => !known.has(pid));
    },
    signal(name, scope) {
      const alive = within(scope, look(scope === "all"));
      send(-root, name);
      for (const pid of alive) send(pid, name);
    },
  };
}

function groupTree(root: number): ProcessTree {
  return {
    // the group answers for its members, whose numbers are not known
    look: () => ({ session: exists(-root) ? [root] : [], strays: [] }),
    suspects: () => [],
    signal: (name) => send(-root, name),
  };
}

function windowsTree(root: number): ProcessTree {
  return {
    look: () => ({ session: [], strays: [] }),
    suspects: () => [],
    signal() {
      new Deno.Command("taskkill", {
        args: ["/PID", String(root), "/T", "/F"],
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).outputSync();
    },
  };
}

function send(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch {
    // ended meanwhile, or not ours to end; who waits for the end will see it
  }
}

function exists(pid: number): boolean {
  try {
    // signal 0 only asks
    Deno.kill(pid, 0 as unknown as Deno.Signal);
    return true;
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied;
  }
}
