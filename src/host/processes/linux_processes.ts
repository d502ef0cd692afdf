/** Looks through the processes of a Linux system for those that a call has started. */
import { existsSync } from "node:fs";
import { isInside } from "../../lib/path_inside.ts";
import { blockFor } from "../block.ts";

export interface LivingProcesses {
  /** Of the child's own session or group. */
  readonly session: readonly number[];
  /** Started by the child, and in a session of their own by now. */
  readonly strays: readonly number[];
}

/** By what the processes of a call are known. */
export interface CallTraces {
  /** The first of them, which leads a session. */
  readonly root: number;
  /** Carried in their environment. */
  readonly marker: Uint8Array;
  /** Their output pipes, as `outputsOf` names them. */
  readonly outputs: readonly string[];
}

/** False where the system does not show its processes. */
export function canLook(): boolean {
  return readOrNothing("/proc/loadavg") !== undefined;
}

/** The pipes that a process writes its two outputs to. */
export function outputsOf(pid: number): string[] {
  return [1, 2].map((fd) => linkOrNothing(`/proc/${pid}/fd/${fd}`) ?? "")
    .filter((target) => target.startsWith("pipe:"));
}

/** The processes of a call that live; with `byPipes` also those known by their open files alone. */
export function scan({ root, marker, outputs }: CallTraces, byPipes: boolean): LivingProcesses {
  const session: number[] = [], strays: number[] = [];
  for (const pid of youngerThan(root)) {
    const stat = statOf(pid);
    if (stat === undefined) continue;
    if (stat.session === root || stat.group === root) session.push(pid);
    else if (stat.parent === kernel || pid === Deno.pid) continue;
    else if (carries(pid, marker) || (byPipes && holds(pid, outputs))) strays.push(pid);
  }
  return { session, strays };
}

/**
 * The user's processes in `folder` that were started after `root`, lead a session of their own, and
 * whose parent has left them to the system.
 */
export function adopted(root: number, folder: string): number[] {
  const above = ancestors();
  const sessions = new Set(above.values());
  return youngerThan(root).filter((pid) => {
    const stat = statOf(pid);
    if (stat === undefined || stat.session === root || sessions.has(stat.session)) return false;
    // An orphan goes to whichever process above takes such in, at last to the system's first.
    if (stat.parent === Deno.pid || !above.has(stat.parent)) return false;
    const cwd = linkOrNothing(`/proc/${pid}/cwd`);
    return cwd !== undefined && isInside(folder, cwd) && ownerOf(pid) === Deno.uid();
  });
}

/** This process and those above it, with their sessions. */
function ancestors(): Map<number, number> {
  const found = new Map<number, number>();
  for (let pid = Deno.pid; pid > 0 && !found.has(pid);) {
    const stat = statOf(pid);
    found.set(pid, stat?.session ?? 0);
    pid = stat?.parent ?? 0;
  }
  return found;
}

const maxOpenFiles = 256;

function holds(pid: number, pipes: readonly string[]): boolean {
  let looks = 0;
  try {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
      const target = linkOrNothing(`/proc/${pid}/fd/${name}`);
      if (target !== undefined && pipes.includes(target)) return true;
      if (++looks === maxOpenFiles) return false;
    }
  } catch {
    // It has ended, or belongs to somebody else.
  }
  return false;
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

/** Up to so many numbers it is quicker to ask for each than to list all processes. */
const maxAsked = 32;

/** Descendants have higher numbers than their root, unless numbering has started anew since. */
function youngerThan(root: number): number[] {
  const newest = Number(text(readOrNothing("/proc/loadavg")).trim().split(" ").at(-1));
  const wrapped = !(newest >= root);
  const found: number[] = [];
  if (!wrapped && newest - root < maxAsked) {
    for (let pid = root; pid <= newest; pid++) if (isProcess(pid)) found.push(pid);
    return found;
  }
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

/** Threads have numbers as well, and answer to them, but are in no list. */
function isProcess(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return false;
  const group = /^Tgid:\s*(\d+)$/m.exec(text(readOrNothing(`/proc/${pid}/status`)))?.[1];
  return group === String(pid);
}

/** Of a thread that runs nothing any more: the first of a namespace takes milliseconds to take it down. */
const exitingFlag = 4;

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
    isExiting: (Number(fields[6]) & exitingFlag) !== 0 && Number(fields[17]) <= 1,
  };
}

type Stat = NonNullable<ReturnType<typeof parseStat>>;

/** The process `pid`, unless it is ending, or has ended and waits for whoever is its parent now. */
function statOf(pid: number): Stat | undefined {
  const stat = parseStat(readOrNothing(`/proc/${pid}/stat`));
  if (stat === undefined || stat.isExiting) return undefined;
  return stat.state === "Z" || stat.state === "X" ? undefined : stat;
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

function linkOrNothing(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

function ownerOf(pid: number): number | undefined {
  try {
    return Deno.statSync(`/proc/${pid}`).uid ?? undefined;
  } catch {
    return undefined;
  }
}
