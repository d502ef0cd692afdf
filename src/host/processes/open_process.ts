/** A program that stays: it is written to and read from until it is ended, with all that it has started. */
import type { OpenProcess, OpenProcessSpec, ProcessExit } from "../../core/host.ts";
import { endTree, gone } from "./end_process.ts";
import type { ProcessList } from "./live_children.ts";
import { markerVariable, newMarker, processTree } from "./process_tree.ts";
import { startProcess } from "./start_process.ts";
import { waitAtMost } from "./wait_at_most.ts";

const defaultInputGraceMs = 300, defaultKillGraceMs = 1000;
/** How long output that comes after the end is waited for: others may hold the pipes open. */
const tailMs = 200;
/** How long the exit of a killed child is waited for. */
const unkillableMs = 1000;

/** Starts it. Throws `ProcessStartError`, or the reason of a signal that has aborted. */
export function openProcess(
  spec: OpenProcessSpec,
  signal: AbortSignal,
  { platform, running, children }: ProcessList,
): OpenProcess {
  signal.throwIfAborted();
  const marker = newMarker(spec.env[markerVariable]);
  const env = { ...spec.env, [markerVariable]: marker.all };
  const child = startProcess({ ...spec, stdin: "piped" }, env);
  const tree = processTree(child.pid, marker.own, spec.cwd, platform);
  const writer = child.stdin.getWriter();
  const stdout = readPieces(child.stdout, spec.onOutput);
  const errorEnd = keepEnd(spec.maxErrorBytes);
  const stderr = readPieces(child.stderr, errorEnd.add);
  const exited = Promise.withResolvers<ProcessExit>();
  const remove = children.add(child.pid, marker.own);

  let ending: Promise<void> | undefined;
  const end = () => ending ??= endNow();
  async function endNow(): Promise<void> {
    // a write that waits for a program that does not read must not be waited for
    writer.close().catch(() => {});
    const inputGraceMs = spec.inputGraceMs ?? defaultInputGraceMs;
    if (platform === "windows") await waitAtMost(inputGraceMs, child.status);
    if (platform === "windows" || !await gone(tree, "all", inputGraceMs)) {
      await endTree(tree, "all", spec.killGraceMs ?? defaultKillGraceMs);
    }
    await waitAtMost(unkillableMs, exited.promise);
    exited.resolve({ exitCode: 137, signal: "SIGKILL" });
    await Promise.all([stdout.close(), stderr.close()]);
    child.unref();
    signal.removeEventListener("abort", end);
    running.delete(end);
    remove();
  }

  signal.addEventListener("abort", end, { once: true });
  running.add(end);
  void child.status.then(async (status) => {
    await waitAtMost(tailMs, Promise.all([stdout.ended, stderr.ended]));
    exited.resolve({
      exitCode: status.code,
      ...status.signal !== null && { signal: status.signal },
    });
    // what it has started does not outlive it
    await end();
  });
  return {
    write: (bytes) => writer.write(bytes),
    get errorText() {
      return errorEnd.text();
    },
    outputEnded: stdout.ended,
    exited: exited.promise,
    end,
  };
}

interface Pieces {
  /** Resolves when the pipe has ended or was let go. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

function readPieces(
  stream: ReadableStream<Uint8Array>,
  take: (bytes: Uint8Array) => void | Promise<void>,
): Pieces {
  const reader = stream.getReader({ mode: "byob" });
  let open = true;
  const ended = (async () => {
    let buffer = new Uint8Array(65536);
    while (open) {
      // a pipe that breaks has ended
      const piece = await reader.read(buffer).catch(() => undefined);
      if (piece?.value === undefined || piece.done) break;
      await take(piece.value);
      buffer = new Uint8Array(piece.value.buffer);
    }
    open = false;
  })();
  return {
    ended,
    async close() {
      if (!open) return;
      open = false;
      await reader.cancel().catch(() => {});
    },
  };
}

/** Keeps the last `maxBytes` bytes of what is added. */
function keepEnd(maxBytes: number): { add(bytes: Uint8Array): void; text(): string } {
  let kept = new Uint8Array();
  return {
    add(bytes) {
      const before = kept.subarray(-Math.max(1, maxBytes - bytes.length));
      const whole = new Uint8Array(before.length + bytes.length);
      whole.set(before);
      whole.set(bytes, before.length);
      kept = whole.slice(-maxBytes);
    },
    text: () => new TextDecoder().decode(kept),
  };
}
