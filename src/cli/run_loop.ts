/** A run of the console loop. */
import { join } from "node:path";
import { openSessionManager } from "../app/session/session_manager.ts";
import { nimletHome } from "../config/home.ts";
import type { SessionManager } from "../core/session_manager.ts";
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
  let manager: SessionManager | undefined;
  try {
    manager = await openSessionManager({
      runOptions: options,
      host,
      sink: front.sink,
      person: front.person,
      signal: front.signal,
      commands: commandNames,
    });
    const exitStatus = await front.loop(manager, { version, firstPrompt: options.words.join(" ") });
    const status = signal.aborted ? "interrupted" : "done";
    await manager.conversation().close({ status, exitStatus });
    return exitStatus;
  } finally {
    await manager?.close();
    front.close();
  }
}
