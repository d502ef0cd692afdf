/** Watches over the program from a thread of its own, which answers signals while this one is busy. */
import type { Watchdog, WatchPlan } from "../../core/host.ts";
import type { LiveChildren } from "../processes/live_children.ts";
import { heardSignals } from "../signals.ts";
import { beatMs, type ToWatchdog } from "./protocol.ts";

export function realWatchdog(children: LiveChildren): Watchdog {
  let wanted: WatchPlan | undefined;
  let worker: Worker | undefined;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let beating: ReturnType<typeof setInterval> | undefined;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const beat = () => void Atomics.add(beats, 0, 1);
  function startNow(plan: WatchPlan): void {
    if (worker !== undefined || !standsSomewhere()) return;
    const made = worker = new Worker(workerUrl(), { type: "module", name: "watchdog" });
    // without it the program still ends by itself, as long as it is not busy
    made.onerror = (event) => event.preventDefault();
    const post = (message: ToWatchdog) => made.postMessage(message);
    post({ kind: "plan", plan, signals: heardSignals(), beats: beats.buffer });
    children.follow({
      started: (pid, marker) => post({ kind: "child", pid, marker }),
      ended: (pid) => post({ kind: "child ended", pid }),
    });
  }

  return {
    plan: (plan) => void (wanted = plan),
    start(inMs = 0) {
      const plan = wanted;
      if (plan === undefined || worker !== undefined) return;
      if (inMs === 0) startNow(plan);
      else timers.push(setTimeout(() => startNow(plan), inMs));
    },
    endsByItself() {
      beat();
      beating ??= setInterval(beat, beatMs);
    },
    release() {
      worker?.terminate();
      clearInterval(beating);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** No thread can be started in a folder that was deleted: the runtime would fail aloud. */
function standsSomewhere(): boolean {
  try {
    return Deno.cwd() !== "";
  } catch {
    return false;
  }
}

/** In a bundle the worker lies beside this module, under its own name. */
function workerUrl(): URL {
  const isBundle = import.meta.url.endsWith(".js");
  return new URL(isBundle ? "./watchdog_worker.js" : "./worker.ts", import.meta.url);
}
