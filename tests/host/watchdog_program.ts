/** A program that is busy for ever, with a watchdog and a child: what the tests of the watchdog start. */
import { realHost } from "../../src/host/real_host.ts";
import { heardSignals } from "../../src/host/signals.ts";

const host = realHost();
// as the program does: without a listener the system would end it
for (const signal of heardSignals()) Deno.addSignalListener(signal, () => {});
const [limit, lastWords] = Deno.args;
const ending = (message: string, code: "interrupted" | "limit", status: number) => ({
  message,
  code,
  status,
});
host.watchdog.plan({
  platform: host.platform,
  ...(limit === "none" ? {} : { deadline: Date.now() + Number(limit) }),
  lastWords: lastWords as "records" | "result" | "none",
  endings: {
    SIGINT: ending("interrupted by SIGINT", "interrupted", 130),
    SIGTERM: ending("interrupted by SIGTERM", "interrupted", 143),
    SIGHUP: ending("interrupted by SIGHUP", "interrupted", 129),
    timeout: ending("stopped after the limit", "limit", 3),
  },
});
void host.processes.run({
  file: "sh",
  args: ["-c", "trap '' TERM; setsid sleep 77 & echo $! $$; while :; do sleep 1; done"],
  cwd: "/",
  env: { PATH: Deno.env.get("PATH") ?? "" },
  maxOutputBytes: 1000,
  onOutput: (_stream, text) => {
    host.watchdog.start();
    console.error(`children ${text.trim()}`);
    // what no signal handler and no timer of this thread ever interrupts
    for (;;);
  },
}, new AbortController().signal);
