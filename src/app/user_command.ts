/** The running of a person's own command, in the way of the bash tool. */
import type { CommandOutput } from "../core/session_manager.ts";
import { ToolFailure } from "../core/failure.ts";
import { bashTool, longestTimeoutSeconds } from "../tools/bash.ts";
import type { RunEnvironment } from "./environment.ts";

/** Runs until the command ends or the signal aborts; a failure is an output, too. */
export async function runUserCommand(
  command: string,
  { environment, onOutput, signal }: {
    environment: RunEnvironment;
    onOutput: (delta: string) => void;
    signal: AbortSignal;
  },
): Promise<CommandOutput> {
  const { host, workspace, childEnv, config } = environment;
  try {
    const input = { command, timeout_seconds: longestTimeoutSeconds };
    const { text } = await bashTool(environment.shell).run(input, {
      workspace,
      host,
      signal,
      childEnv,
      progress: onOutput,
      limits: { maxOutputBytes: config.settings["tools.bash.max_output_bytes"] },
    });
    return { text, isError: false };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { text: error.message, isError: true };
  }
}
