/** The real machine behind the `Host` port. */
import type { Clock, Host } from "../core/host.ts";
import { delay } from "../lib/delay.ts";
import { realEnvironment } from "./environment.ts";
import { liveChildren } from "./processes/live_children.ts";
import { realProcesses } from "./processes/real_processes.ts";
import { randomId } from "./random_id.ts";
import { realTerminal } from "./terminal.ts";
import { realWatchdog } from "./watchdog/watchdog.ts";

/** The machine this program runs on. Does no work before something is asked of it. */
export function realHost(compiledCode: Host["compiledCode"] = "none"): Host {
  const platform = platformOf(Deno.build.os);
  const children = liveChildren();
  return {
    platform,
    pid: Deno.pid,
    env: realEnvironment(platform),
    clock: realClock,
    terminal: realTerminal(platform),
    processes: realProcesses(platform, children),
    watchdog: realWatchdog(children),
    compiledCode,
    randomId,
  };
}

/** Systems other than the three are treated as the one they resemble. */
function platformOf(os: typeof Deno.build.os): Host["platform"] {
  switch (os) {
    case "windows":
    case "darwin":
      return os;
    default:
      return "linux";
  }
}

const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  delay,
};
