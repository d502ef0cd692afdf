/** Owns a run of the console loop. */
import { join } from "node:path";
import { openDesk } from "../app/desk.ts";
import { nimletHome } from "../config/home.ts";
import type { Desk } from "../core/desk.ts";
import type { Host } from "../core/host.ts";
import { commandNames } from "../front/console/commands.ts";
import { openConsole } from "../front/console/console.ts";
import { historyFile } from "../host/history_file.ts";
import type { Options } from "./command_line.ts";
import { version } from "./version.ts";

export async function runLoop(options: Options, host: Host, signal: AbortSignal): Promise<number> {
  const home = nimletHome(host.env);
  const history = home === undefined ? undefined : historyFile(join(home, "history"));
  const front = openConsole(host, history, signal);
  let desk: Desk | undefined;
  try {
    desk = await openDesk({
      wanted: options,
      host,
      sink: front.sink,
      person: front.person,
      signal: front.signal,
      commands: commandNames,
    });
    const exitStatus = await front.loop(desk, { version, firstPrompt: options.words.join(" ") });
    const status = signal.aborted ? "interrupted" : "done";
    await desk.conversation().close({ status, exitStatus });
    return exitStatus;
  } finally {
    await desk?.close();
    front.close();
  }
}
