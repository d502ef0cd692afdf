/** Owns the program: from arguments to an exit status. */
import { exitStatus, exitStatusOf, messageOf, RunFailure } from "../core/failure.ts";
import { ClosedOutput, type Host } from "../core/host.ts";
import { exitStatusOfInterruption, Interruption } from "../core/interruption.ts";
import { visible } from "../lib/visible.ts";
import { chooseFront, mayHavePrompt } from "./front_choice.ts";
import type { Options } from "./options.ts";
import { parseCommandLine } from "./parse.ts";
import { listenForStop } from "./stop.ts";
import { version } from "./version.ts";

/** Runs the program. `exit` ends it at once, for a stop that cannot wait. */
export async function main(
  args: readonly string[],
  host: Host,
  exit: (status: number) => void,
): Promise<number> {
  try {
    return await start(parseCommandLine(args), host, exit);
  } catch (error) {
    return await explain(error, host, args);
  } finally {
    await host.processes.endAll();
  }
}

async function start(
  options: Options,
  host: Host,
  exit: (status: number) => void,
): Promise<number> {
  if (options.help) {
    const { helpText } = await import("./help.ts");
    await host.terminal.writeOut(helpText());
    return exitStatus.done;
  }
  if (options.version) {
    await host.terminal.writeOut(`nimlet ${version}\n`);
    return exitStatus.done;
  }
  const stop = listenForStop(host, options.timeoutMs, exit);
  try {
    if (options.listTools || options.callTool || options.doctor || options.showConfig) {
      const { inform } = await import("./inform.ts");
      return await inform(options, host, stop.signal);
    }
    const front = chooseFront(options, {
      stdinKind: host.terminal.stdinKind,
      stdoutIsTerminal: host.terminal.stdoutIsTerminal,
      hasPrompt: mayHavePrompt(options, host.terminal.stdinKind),
    });
    switch (front) {
      case "json":
      case "print":
      case "once": {
        const { runOnce } = await import("./run_once.ts");
        return await runOnce(front, options, host, stop.signal);
      }
      case "loop": {
        const { runLoop } = await import("./run_loop.ts");
        return await runLoop(options, host, stop.signal);
      }
      case "rpc": {
        const { runRpc } = await import("./run_rpc.ts");
        return await runRpc(options, host, stop.signal);
      }
    }
  } finally {
    stop.release();
  }
}

/** Tells a failure on stderr, and in JSON mode as closing records too; gives the exit status. */
async function explain(error: unknown, host: Host, args: readonly string[]): Promise<number> {
  if (error instanceof ClosedOutput) return exitStatus.failed;
  const { status, code, exitCode } = endOf(error);
  await host.terminal.writeErr(`nimlet: ${visible(messageOf(error))}\n`);
  if (host.env.get("NIMLET_DEBUG") === "1" && error instanceof Error && error.stack) {
    await host.terminal.writeErr(`${error.stack}\n`);
  }
  if (wantsJson(args)) {
    const { jsonSink } = await import("../front/json.ts");
    const sink = jsonSink(host.terminal);
    try {
      const mode = args.includes("--plan") ? "plan" : "act";
      await sink({ type: "session_start", workspace: host.env.cwd, mode }, {});
      await sink({ type: "error", message: messageOf(error).toWellFormed(), code }, {});
      await sink({ type: "session_end", success: false, status, exit_code: exitCode }, {});
    } catch {
      // stdout is gone or full: stderr and the exit status have said it
    }
  }
  return exitCode;
}

function endOf(error: unknown) {
  if (error instanceof Interruption) {
    const status = error.source === "timeout" ? "limit" as const : "interrupted" as const;
    return { status, code: status, exitCode: exitStatusOfInterruption(error.source) };
  }
  const code = error instanceof RunFailure ? error.code : "internal";
  return { status: "failed" as const, code, exitCode: exitStatusOf(code) };
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const flags = end < 0 ? args : args.slice(0, end);
  return flags.some((arg, index) =>
    arg === "--mode=json" || (arg === "--mode" && flags[index + 1] === "json")
  );
}
