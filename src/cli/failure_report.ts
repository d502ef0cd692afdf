/** Reports a run that fails: one line on stderr, and the closing records. */
import { exitStatus, exitStatusOf, messageOf, RunFailure } from "../core/failure.ts";
import { ClosedOutput, type Host } from "../core/host.ts";
import { exitStatusOfInterruption, Interruption } from "../core/interruption.ts";
import type { RecordStream } from "../front/json.ts";
import { visible } from "../lib/visible.ts";

export interface FailureReport {
  readonly host: Host;
  readonly args: readonly string[];
  /** Present in the modes that write records. */
  readonly records: RecordStream | undefined;
}

/** Tells why the run ended; gives the exit status. Never throws. */
export async function reportFailure(
  error: unknown,
  { host, args, records }: FailureReport,
): Promise<number> {
  if (error instanceof ClosedOutput || isReaderGone(error)) return exitStatus.failed;
  const { status, code, exitCode } = endOf(error);
  if (!records?.hasTold(messageOf(error))) {
    await host.terminal.writeErr(`nimlet: ${visible(messageOf(error))}\n`);
  }
  if (host.env.get("NIMLET_DEBUG") === "1" && error instanceof Error && error.stack) {
    await host.terminal.writeErr(`${error.stack}\n`);
  }
  try {
    await records?.close({
      status,
      code,
      message: messageOf(error),
      exitCode,
      workspace: host.env.cwd,
      mode: args.includes("--plan") ? "plan" : "act",
    });
  } catch {
    // stdout is gone or full: stderr and the exit status have said it
  }
  return exitCode;
}

function isReaderGone(error: unknown): boolean {
  return error instanceof Interruption && error.source === "reader";
}

function endOf(error: unknown) {
  if (error instanceof Interruption) {
    const status = error.source === "timeout" ? "limit" as const : "interrupted" as const;
    return { status, code: status, exitCode: exitStatusOfInterruption(error.source) };
  }
  const code = error instanceof RunFailure ? error.code : "internal";
  return { status: "failed" as const, code, exitCode: exitStatusOf(code) };
}

const recordModes = ["json", "rpc", "result"] as const;

/** The mode whose stdout has to be closed, also where the rest of the command line is wrong. */
export function recordMode(args: readonly string[]): typeof recordModes[number] | undefined {
  const end = args.indexOf("--");
  const flags = end < 0 ? args : args.slice(0, end);
  const modes = flags.map((arg, index) =>
    arg === "--mode" ? flags[index + 1] : /^--mode=(.*)$/s.exec(arg)?.[1]
  );
  return recordModes.find((mode) => mode === modes.findLast((given) => given !== undefined));
}
