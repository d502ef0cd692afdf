/** A run of the console loop. */
import { join } from "node:path";
import { createChangeManager } from "../app/change_manager.ts";
import { createMcpManager } from "../app/mcp_manager.ts";
import { completePaths } from "../app/complete_paths.ts";
import { createModelManager } from "../app/model_manager.ts";
import { openConversation, type OpenedConversation } from "../app/open_conversation.ts";
import { createPermissionManager } from "../app/permission_manager.ts";
import { createSandboxManager } from "../app/sandbox_manager.ts";
import { createSessionManager } from "../app/session/session_manager.ts";
import { slashPromptsOf } from "../app/slash_prompts.ts";
import { runUserCommand } from "../app/user_command.ts";
import { nimletHome } from "../config/home.ts";
import type { Host } from "../core/host.ts";
import { commandNames } from "../front/console/commands.ts";
import { openConsole } from "../front/console/console.ts";
import type { ConsoleServices } from "../front/console/services.ts";
import { historyFile } from "../host/history_file.ts";
import type { Options } from "./command_line.ts";
import { version } from "../lib/version.ts";

export async function runLoop(options: Options, host: Host, signal: AbortSignal): Promise<number> {
  const home = nimletHome(host.env);
  const history = home === undefined ? undefined : historyFile(join(home, "history"));
  const front = openConsole(host, history, signal);
  let opened: OpenedConversation | undefined;
  try {
    opened = await openConversation({
      runOptions: options,
      host,
      front: "console",
      sink: front.sink,
      person: front.person,
      signal: front.signal,
      commands: commandNames,
      keepsChanges: true,
    });
    const services = servicesOf(opened, options);
    const exitStatus = await front.loop(services, {
      version,
      firstPrompt: options.words.join(" "),
    });
    const status = signal.aborted ? "interrupted" : "done";
    await opened.conversation.close({ status, exitStatus });
    return exitStatus;
  } finally {
    await opened?.finish();
    await front.close();
  }
}

function servicesOf(opened: OpenedConversation, { noSession }: Options): ConsoleServices {
  const { conversation } = opened;
  const environment = () => conversation.current().environment;
  return {
    conversation,
    sessions: createSessionManager(conversation, noSession),
    models: createModelManager(opened),
    permissions: createPermissionManager(opened),
    sandbox: createSandboxManager(opened),
    mcp: createMcpManager(conversation),
    changes: createChangeManager(conversation),
    completePaths: (typed, stop) => completePaths(typed, environment(), stop),
    slashPrompts: () => slashPromptsOf(environment()),
    reload: opened.reload,
    runCommand: (command, onOutput, turn) => runUserCommand(command, environment(), onOutput, turn),
  };
}
