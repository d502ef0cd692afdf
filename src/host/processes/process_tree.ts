/** Finds and signals everything that a child process has started. */
import type { Host } from "../../core/host.ts";
import { blockFor } from "../block.ts";

/** Carried in the environment of every child, so that what leaves its session is found as well. */
export const markerVariable = "NIMLET_PROCESS";

/** Only the child's own session (or group), or also what left it. */
export type TreeScope = "session" | "all";

export interface LivingProcesses {
  /** Of the child's own session or group. */
  readonly session: readonly number[];
  /** Started by the child, and in a session of their own by now. */
  readonly strays: readonly number[];
}

export interface ProcessTree {
  /** The processes of the tree that live; empty where none does or none can be seen. */
  look(): LivingProcesses;
  /** Sends a signal to every process that lives. */
  signal(name: "SIGTERM" | "SIGKILL", scope: TreeScope): void;
}

/** The processes within `scope`. */
export function within(scope: TreeScope, { session, strays }: LivingProcesses): readonly number[] {
  return scope === "session" ? session : [...session, ...strays];
}

/** The tree below the session leader `root`; `marker` is what its environment carries. */
export function processTree(
  root: number,
  marker: string,
  platform: Host["platform"],
): ProcessTree {
  switch (platform) {
    case "linux":
      // without /proc only the group as a whole can be asked
      return readOrNothing("/proc/loadavg") ? linuxTree(root, marker) : groupTree(root);
    case "darwin":
      return groupTree(root);
    case "windows":
      return windowsTree(root);
  }
}

function linuxTree(root: number, marker: string): ProcessTree {
  const wanted = new TextEncoder().encode(marker);
  const look = () => scan(root, wanted);
  return {
    look,
    signal(name, scope) {
      const alive = within(scope, look());
      send(-root, name);
      for (const pid of alive) send(pid, name);
    },
  };
}

function groupTree(root: number): ProcessTree {
  return {
    // the group answers for its members, whose numbers are not known
    look: () => ({ session: exists(-root) ? [root] : [], strays: [] }),
    signal: (name) => send(-root, name),
  };
}

function windowsTree(root: number): ProcessTree {
  return {
    look: () => ({ session: [], strays: [] }),
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

function scan(root: number, marker: Uint8Array): LivingProcesses {
  const session: number[] = [], strays: number[] = [];
  for (const pid of youngerThan(root)) {
    const stat = parseStat(readOrNothing(`/proc/${pid}/stat`));
    // the dead wait for whoever is their parent now
    if (stat === undefined || stat.state === "Z" || stat.state === "X") continue;
    if (stat.session === root || stat.group === root) session.push(pid);
    else if (stat.parent !== kernel && carries(pid, marker)) strays.push(pid);
  }
  return { session, strays };
}

/** The parent of all threads of the kernel, which have no environment. */
const kernel = 2;
const looksAtEmpty = 4;

/** True where the environment of `pid` holds `marker`; it is empty for a moment in every exec. */
function carries(pid: number, marker: Uint8Array): boolean {
  for (let look = 1;; look++) {
    const environment = readOrNothing(`/proc/${pid}/environ`);
    if (environment?.length !== 0 || look === looksAtEmpty) return contains(environment, marker);
    blockFor(1);
  }
}

/** Descendants have higher numbers than their root, unless numbering has started anew since. */
function youngerThan(root: number): number[] {
  const newest = Number(text(readOrNothing("/proc/loadavg")).trim().split(" ").at(-1));
  const wrapped = !(newest >= root);
  const found: number[] = [];
  try {
    for (const { name } of Deno.readDirSync("/proc")) {
      const pid = Number(name);
      if (Number.isInteger(pid) && (wrapped || pid >= root)) found.push(pid);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found;
}

/** The fields after the name, which may hold spaces and brackets of its own. */
function parseStat(bytes: Uint8Array | undefined) {
  const line = text(bytes);
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 4) return undefined;
  return {
    state: fields[0]!,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
  };
}

function contains(bytes: Uint8Array | undefined, part: Uint8Array): boolean {
  if (bytes === undefined) return false;
  for (let at = bytes.indexOf(part[0]!); at >= 0; at = bytes.indexOf(part[0]!, at + 1)) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

/** A process that has ended, or that belongs to someone else, has nothing to show. */
function readOrNothing(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
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
