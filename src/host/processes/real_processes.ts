/** Runs programs: one call from the start to the moment nothing of it is left. */
import type { Host, Processes, ProcessResult, ProcessSpec } from "../../core/host.ts";
import { longestTimerMs } from "../../lib/delay.ts";
import { feedInput, type OutputPipe, readOutput } from "./child_streams.ts";
import { endTree, settle } from "./end_process.ts";
import { watchIdle } from "./idle_watch.ts";
import type { LiveChildren, ProcessList } from "./live_children.ts";
import { openProcess } from "./open_process.ts";
import { markerVariable, newMarker, processTree } from "./process_tree.ts";
import { startProcess } from "./start_process.ts";
import { waitAtMost } from "./wait_at_most.ts";

const defaultKillGraceMs = 2000;

/** How long the exit of a killed child is waited for. */
const unkillableMs = 1000;

export function realProcesses(platform: Host["platform"], children: LiveChildren): Processes {
  const running = new Set<() => Promise<void>>();
  return {
    run: (spec, signal) => run(spec, signal, { platform, running, children }),
    open: (spec, signal) => openProcess(spec, signal, { platform, running, children }),
    get running() {
      return running.size;
    },
    async endAll() {
      await Promise.all([...running].map((end) => end()));
    },
  };
}

async function run(
  spec: ProcessSpec,
  signal: AbortSignal,
  { platform, running, children }: ProcessList,
): Promise<ProcessResult> {
  if (signal.aborted) return neverStarted();
  const started = performance.now();
  const marker = newMarker(spec.env[markerVariable]);
  const child = startProcess(
    { ...spec, stdin: spec.input === undefined ? "null" : "piped" },
    { ...spec.env, [markerVariable]: marker.all },
  );
  const tree = processTree(child.pid, marker.own, spec.cwd, platform);

  let end: ProcessResult["end"] = "exited";
  let ended = false;
  let ending: Promise<void> | undefined;
  const killed = Promise.withResolvers<void>();
  const stop = (reason: ProcessResult["end"]) => {
    if (ending === undefined) {
      // what comes after the child's own end does not change how it ended
      if (!ended) end = reason;
      ending = endTree(tree, "all", spec.killGraceMs ?? defaultKillGraceMs);
      ending.then(killed.resolve);
    }
    return ending;
  };
  let lastDataAt = started;
  const onData = () => {
    lastDataAt = performance.now();
    if (stdout.totalBytes > (spec.stdoutLimitBytes ?? Infinity)) stop("overflow");
  };
  const kept = keptBytes(spec), folds = spec.foldsFrames ?? false;
  const stdout = readOutput(child.stdout, kept, folds, listener(spec, "stdout"), onData);
  const stderr = readOutput(child.stderr, kept, folds, listener(spec, "stderr"), onData);
  const pipes = [stdout, stderr];

  const abort = () => stop("aborted");
  signal.addEventListener("abort", abort, { once: true });
  running.add(abort);
  const remove = children.add(child.pid, marker.own);
  const timer = spec.timeoutMs === undefined
    ? undefined
    : setTimeout(() => stop("timeout"), Math.min(Math.max(0, spec.timeoutMs), longestTimerMs));
  const stopWatch = spec.idleMs === undefined
    ? undefined
    : watchIdle(tree, spec.idleMs, () => lastDataAt, () => stop("idle"));
  try {
    // not waited for: a left-over process may hold the other end
    feedInput(child, spec.input);
    const exit = await exitOf(child, killed.promise);
    ended = true;
    const exitedAt = performance.now();
    const left = await settle(tree, pipes, () => lastDataAt, () => ending);
    await Promise.all(pipes.map((pipe) => pipe.close()));
    const durationMs = Math.round(exitedAt - started);
    return { end, ...exit, durationMs, ...takeOutput(stdout, stderr, spec), ...left };
  } finally {
    clearTimeout(timer);
    stopWatch?.();
    running.delete(abort);
    remove();
    signal.removeEventListener("abort", abort);
  }
}

function neverStarted(): ProcessResult {
  const nothing = { text: "", totalBytes: 0, omittedBytes: 0, replaced: false };
  return { end: "aborted", exitCode: 130, durationMs: 0, stdout: nothing, stderr: nothing };
}

function listener(spec: ProcessSpec, stream: "stdout" | "stderr") {
  const { onOutput } = spec;
  return onOutput && ((delta: string) => onOutput(stream, delta));
}

/** The child's own exit; one that even KILL does not end is given up after a while. */
async function exitOf(
  child: Deno.ChildProcess,
  killed: Promise<void>,
): Promise<Pick<ProcessResult, "exitCode" | "signal">> {
  let status: Deno.CommandStatus | undefined;
  const exited = child.status.then((found) => {
    status = found;
  });
  await Promise.race([exited, killed.then(() => waitAtMost(unkillableMs, exited))]);
  if (status !== undefined) {
    return { exitCode: status.code, ...status.signal !== null && { signal: status.signal } };
  }
  child.unref();
  return { exitCode: 137, signal: "SIGKILL" };
}

function keptBytes({ maxOutputBytes, maxTotalBytes }: ProcessSpec): number {
  return Math.min(maxOutputBytes, maxTotalBytes ?? Infinity);
}

/** Each stream is sure of half of the common limit, and gets what the other leaves of it. */
function takeOutput(stdout: OutputPipe, stderr: OutputPipe, spec: ProcessSpec) {
  const each = keptBytes(spec), total = spec.maxTotalBytes ?? each * 2;
  const forStderr = Math.min(
    stderr.totalBytes,
    Math.max(Math.floor(total / 2), total - stdout.totalBytes),
  );
  return {
    stdout: stdout.take(Math.min(each, total - Math.min(forStderr, each))),
    stderr: stderr.take(Math.min(each, forStderr)),
  };
}
