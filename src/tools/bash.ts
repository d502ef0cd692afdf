/** The bash tool: one shell command in the workspace. */
import { bashGrantKey } from "../core/grant_key.ts";
import { ToolFailure } from "../core/failure.ts";
import { ProcessStartError } from "../core/host.ts";
import {
  argumentShape,
  type ArgumentsOf,
  number,
  optional,
  someText,
} from "../core/argument_shape.ts";
import type { Tool } from "../core/tool.ts";
import type { Shell } from "../host/shell.ts";
import { byteLength } from "../lib/well_formed.ts";
import { commandEnvironment } from "./bash_environment.ts";
import { commandResult, type Timeout } from "./bash_result.ts";

const defaultTimeoutSeconds = 120;
export const longestTimeoutSeconds = 86_400;

/** Longer commands do not fit into one argument of a program everywhere. */
const longestArgumentBytes = 100_000;

const fields = {
  command: someText(),
  timeout_seconds: optional(
    number(`Default ${defaultTimeoutSeconds}, at most ${longestTimeoutSeconds}.`),
  ),
};
export type BashInput = ArgumentsOf<typeof fields>;

/** The tool over a shell that is looked for when the first command is run. */
export function bashTool(shell: () => Promise<Shell>): Tool<BashInput> {
  return {
    name: "bash",
    description:
      "Run a shell command (bash syntax) in the workspace. Each call is a new shell: variables and " +
      "folder changes do not carry over. stdin is empty. Returns exit_code, stdout, stderr. " +
      "Background processes end with the call unless started with setsid.",
    capabilities: ["shell"],
    input: argumentShape(fields),
    parallel: false,
    origin: { kind: "built-in" },
    grantKey: ({ command }) => bashGrantKey(command),
    async run({ command, timeout_seconds }, context) {
      if (command.includes("\0")) {
        throw new ToolFailure(
          "invalid_arguments",
          "invalid_arguments: command: expected text without NUL characters",
        );
      }
      if (!command.isWellFormed()) {
        throw new ToolFailure(
          "invalid_arguments",
          "invalid_arguments: command: expected valid Unicode, found half a character",
        );
      }
      const used = await shell();
      const timeout = timeoutOf(timeout_seconds);
      const { maxOutputBytes } = context.limits;
      try {
        const result = await context.host.processes.run({
          file: used.path,
          ...invocation(used, command),
          cwd: context.workspace,
          env: commandEnvironment(context.childEnv, context.workspace),
          timeoutMs: timeout.seconds * 1000,
          maxOutputBytes,
          maxTotalBytes: maxOutputBytes,
          foldsFrames: true,
          onOutput: (_stream, delta) => context.progress(delta),
        }, context.signal);
        return commandResult(result, timeout, context.signal);
      } catch (error) {
        if (!(error instanceof ProcessStartError)) throw error;
        const notice = used.notice === undefined ? "" : ` ${used.notice}`;
        throw new ToolFailure("tool_failed", `${error.message}${notice}`, { cause: error });
      }
    },
  };
}

/** More than a day is meant as milliseconds, unless it is whole days. */
function timeoutOf(given = defaultTimeoutSeconds): Timeout {
  const inMilliseconds = given > longestTimeoutSeconds && given % longestTimeoutSeconds !== 0;
  const wanted = inMilliseconds ? given / 1000 : given;
  const seconds = Math.min(Math.max(1, wanted), longestTimeoutSeconds);
  if (seconds === given) return { seconds };
  const read = inMilliseconds ? ", read as milliseconds," : "";
  return { seconds, note: `timeout: timeout_seconds ${given}${read} counted as ${seconds} s` };
}

/** A command too long for an argument comes on stdin; what it runs finds stdin empty all the same. */
function invocation(shell: Shell, command: string): { args: string[]; input?: Uint8Array } {
  if (byteLength(command) <= longestArgumentBytes) return { args: [...shell.args, "-c", command] };
  const read = shell.kind === "bash" ? "$(</dev/stdin)" : "$(cat)";
  return {
    args: [...shell.args, "-c", `eval "${read}" </dev/null`],
    input: new TextEncoder().encode(command),
  };
}
