/** The watchdog's thread: ends the program where a signal or the time limit finds it busy. */
import { bareResult } from "../../core/run_result.ts";
import type { WatchEnding, WatchPlan } from "../../core/host.ts";
import { longestTimerMs } from "../../lib/delay.ts";
import { processTree } from "../processes/process_tree.ts";
import { beatMs, type ToWatchdog } from "./protocol.ts";

/** A program that does not beat for so long does not end by itself. */
const patienceMs = 1500;
/** For last words into a pipe that nobody reads. */
const lastWordsMs = 200;

const scope = self as unknown as { onmessage: (event: MessageEvent<ToWatchdog>) => void };
const children = new Map<number, string>();
let isDue = false;

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case "plan": {
      const { plan, signals } = data, beats = new Int32Array(data.beats);
      for (const signal of signals) {
        Deno.addSignalListener(signal, () => due(plan, plan.endings[signal], beats));
      }
      const { deadline } = plan;
      if (deadline === undefined) return;
      const leftMs = Math.min(Math.max(0, deadline - Date.now()), longestTimerMs);
      setTimeout(() => due(plan, plan.endings.timeout, beats), leftMs);
      return;
    }
    case "child":
      children.set(data.pid, data.marker);
      return;
    case "child ended":
      children.delete(data.pid);
  }
};

/** From now on the program has to beat until it has ended. */
function due(plan: WatchPlan, ending: WatchEnding, beats: Int32Array): void {
  if (isDue) return;
  isDue = true;
  // counted, not measured: a stopped machine stops both threads
  let seen = Atomics.load(beats, 0), silentLooks = 0;
  const timer = setInterval(() => {
    const now = Atomics.load(beats, 0);
    silentLooks = now === seen ? silentLooks + 1 : 0;
    seen = now;
    if (silentLooks * beatMs < patienceMs) return;
    clearInterval(timer);
    void end(plan, ending);
  }, beatMs);
}

async function end(plan: WatchPlan, { message, code, status }: WatchEnding): Promise<void> {
  for (const [pid, marker] of children) {
    // the folder only matters to who asks for suspects
    processTree(pid, marker, "/", plan.platform).signal("SIGKILL", "all");
  }
  giveTerminalBack();
  const sentence = `${message}; the program was busy and was ended`;
  const end = { status: code, exit_code: status };
  const lastWords = {
    none: [],
    records: [
      { version: 1, type: "error", message: sentence, code },
      { version: 1, type: "session_end", success: false, ...end },
    ],
    result: [bareResult({ ...end, error: { code, message: sentence } })],
  }[plan.lastWords];
  const words = [Deno.stderr.write(encode(`nimlet: ${sentence}\n`))];
  if (lastWords.length > 0) {
    words.push(
      Deno.stdout.write(encode(lastWords.map((one) => `${JSON.stringify(one)}\n`).join(""))),
    );
  }
  setTimeout(() => leave(status), lastWordsMs);
  await Promise.allSettled(words);
  leave(status);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A terminal that hands over each key, and shows none, is no good to a shell. */
function giveTerminalBack(): void {
  try {
    if (Deno.build.os === "windows" || !Deno.stdin.isTerminal()) return;
    const stty = (arg: string) =>
      new Deno.Command("stty", { args: [arg], stdin: "inherit", stderr: "null" }).outputSync();
    if (!new TextDecoder().decode(stty("-a").stdout).includes("-icanon")) return;
    stty("sane");
    Deno.stderr.writeSync(encode("\x1b[?2004l"));
  } catch {
    // there is no such program, or no terminal any more
  }
}

const systemLibraries: Partial<Record<typeof Deno.build.os, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/** Only the system itself can end a program, with a status, whose main thread is busy. */
function leave(status: number): void {
  try {
    const library = systemLibraries[Deno.build.os];
    if (library !== undefined) {
      const symbols = { _exit: { parameters: ["i32"], result: "void" } } as const;
      Deno.dlopen(library, symbols).symbols._exit(status);
    }
  } catch {
    // a system with another library: the status is that of a killed program then
  }
  Deno.kill(Deno.pid, "SIGKILL");
}
