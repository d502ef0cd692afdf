/** The program: from arguments to an exit status. */
import { exitStatus, RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { runEndTasks } from "../host/at_end.ts";
import { onFault } from "../host/faults.ts";
import { chooseFront, type FrontKind, mayHavePrompt } from "./front_choice.ts";
import { type FailureReport, recordMode, reportFailure } from "./failure_report.ts";
import type { Options } from "./command_line.ts";
import { refuseLoneWord } from "./lone_word.ts";
import { parseCommandLine } from "./parse.ts";
import { listenForStop, type Stop } from "./stop.ts";
import { version } from "../lib/version.ts";

/** Runs the program. `exit` ends it at once, for a stop that cannot wait. */
export async function main(
  args: readonly string[],
  host: Host,
  exit: (status: number) => void,
): Promise<number> {
  const words: FailureReport = { host, args, records: await recordsFor(args, host) };
  let faulty: Promise<number> | undefined;
  onFault((error) => {
    faulty ??= Promise.all([
      reportFailure(error, words),
      host.processes.endAll().then(runEndTasks),
    ]).then((
      [status],
    ) => status);
    void faulty.then(exit);
  });
  const status = await statusOf(words, exit);
  // a run that came to its end while its fault was being reported has failed all the same
  return await faulty ?? status;
}

async function statusOf(words: FailureReport, exit: (status: number) => void): Promise<number> {
  try {
    return await start(parseCommandLine(words.args), words, exit);
  } catch (error) {
    return await reportFailure(error, words);
  } finally {
    await words.host.processes.endAll();
    await runEndTasks();
  }
}

async function recordsFor(args: readonly string[], host: Host): Promise<FailureReport["records"]> {
  switch (recordMode(args)) {
    case "json":
    case "rpc":
      return (await import("../front/json.ts")).recordStream(host.terminal);
    case "result":
      return (await import("../front/result.ts")).resultStream(host.terminal, host.clock);
    case undefined:
      return undefined;
  }
}

async function start(
  options: Options,
  words: FailureReport,
  exit: (status: number) => void,
): Promise<number> {
  const { host } = words;
  if (options.help) {
    const { helpText } = await import("./help.ts");
    await host.terminal.writeOut(helpText());
    return exitStatus.done;
  }
  if (options.version) {
    await host.terminal.writeOut(`nimlet ${version}\n`);
    return exitStatus.done;
  }
  if (options.licenses) {
    const { readLicenses } = await import("../host/licenses.ts");
    await host.terminal.writeOut(readLicenses());
    return exitStatus.done;
  }
  if (options.schema !== undefined) {
    const { schemaText } = await import("../app/schemas.ts");
    await host.terminal.writeOut(schemaText(options.schema));
    return exitStatus.done;
  }
  if (options.completions !== undefined) {
    const { completions } = await import("./completions/completions.ts");
    await host.terminal.writeOut(completions(options.completions));
    return exitStatus.done;
  }
  const stop = listenForStop(host, options, (why) => reportFailure(why, words), exit);
  try {
    if (options.refreshModels) {
      const { fetchModelTable } = await import("../app/refresh_models.ts");
      await host.terminal.writeOut(`${await fetchModelTable(host, stop.signal)}\n`);
      return exitStatus.done;
    }
    if (options.listTools || options.callTool || options.doctor || options.showConfig) {
      const { runInfoCommand } = await import("./info_commands.ts");
      return await runInfoCommand(options, host, stop.signal);
    }
    if (options.tryHook !== undefined) {
      const { runTryHook } = await import("./try_hook.ts");
      return await runTryHook(options, host, stop.signal);
    }
    if (options.listSessions || options.exportSession || options.deleteSession) {
      const { runSessionCommand } = await import("./session_commands.ts");
      return await runSessionCommand(options, host, stop.signal);
    }
    refuseLoneWord(options, host.terminal.stdinKind);
    if (options.resumeWord !== undefined) {
      const { withResumedSession } = await import("./resumed_session.ts");
      options = await withResumedSession(options, options.resumeWord, host, stop.signal);
    }
    const front = chooseFront(options, {
      stdinKind: host.terminal.stdinKind,
      stdoutIsTerminal: host.terminal.stdoutIsTerminal,
      hasPrompt: mayHavePrompt(options, host.terminal.stdinKind),
    });
    return await runFront(front, options, words, stop, exit);
  } finally {
    stop.release();
  }
}

async function runFront(
  front: FrontKind,
  options: Options,
  { host, records }: FailureReport,
  { signal }: Stop,
  exit: (status: number) => void,
): Promise<number> {
  switch (front) {
    case "json":
    case "result":
    case "print":
    case "once": {
      const { runOnce } = await import("./run_once.ts");
      return await runOnce(front, options, host, signal, records);
    }
    case "loop": {
      refuseAnswerFlags(options, "the console loop");
      const { runLoop } = await import("./run_loop.ts");
      return await runLoop(options, host, signal);
    }
    case "rpc": {
      refuseAnswerFlags(options, "--mode rpc");
      const { runRpc } = await import("./run_rpc.ts");
      return await runRpc(options, host, signal, records!, exit);
    }
  }
}

/** Where one prompt follows the other there is no final answer to write or to check, and no one prompt to add to. */
function refuseAnswerFlags({ output, outputSchema, attach }: Options, front: string): void {
  const flag = output !== undefined
    ? "--output"
    : outputSchema !== undefined
    ? "--output-schema"
    : attach !== undefined
    ? "--attach"
    : undefined;
  if (flag === undefined) return;
  throw new RunFailure("usage", `${flag} needs one prompt, and ${front} has any number of them`);
}
