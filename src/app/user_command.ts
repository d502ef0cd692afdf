/** Runs a person's own command, as the bash tool does. */
import { ToolFailure } from "../core/failure.ts";
import type { CommandOutput } from "../front/console/services.ts";
import { bashTool, longestTimeoutSeconds } from "../tools/bash.ts";
import type { RunEnvironment } from "./environment.ts";

/** Runs until the command ends or the signal aborts; a failure is an output, too. */
export async function runUserCommand(
  command: string,
  environment: RunEnvironment,
  onOutput: (delta: string) => void,
  signal: AbortSignal,
): Promise<CommandOutput> {
  try {
    const input = { command, timeout_seconds: longestTimeoutSeconds };
    const context = { ...environment, sandbox: undefined, signal, progress: onOutput };
    const { text } = await bashTool(environment.shell).run(input, context);
    const where = environment.sandbox === undefined ? "" : "outside the sandbox\n";
    return { text: where + text, isError: false };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { text: error.message, isError: true };
  }
}
