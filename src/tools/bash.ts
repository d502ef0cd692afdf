/** The bash tool: one shell command in the workspace. */
import { bashGrantKey } from "../core/grant_key.ts";
import { ToolFailure } from "../core/failure.ts";
import { type ProcessResult, ProcessStartError } from "../core/host.ts";
import type { SandboxedCommand, SandboxWish } from "../core/sandbox.ts";
import {
  argumentShape,
  type ArgumentsOf,
  flag,
  number,
  optional,
  someText,
  text,
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
/** Offered only where a person can answer. */
const escapeFields = {
  ...fields,
  outside_sandbox: optional(flag("Ask the person to run it outside the sandbox.")),
  reason: optional(text("For outside_sandbox: why it cannot run inside.")),
};
export type BashInput = ArgumentsOf<typeof escapeFields>;

/** The sandbox that commands run in, as far as the model is told of it. */
export interface CommandSandbox extends Pick<SandboxWish, "mode" | "net"> {
  /** True while the model may ask for a run outside: somebody may begin to answer later. */
  canEscape(): boolean;
}

/** The tool over a shell that is looked for when the first command is run. */
export function bashTool(shell: () => Promise<Shell>, confined?: CommandSandbox): Tool<BashInput> {
  const inside = argumentShape(fields), either = argumentShape(escapeFields, needsReason);
  const canEscape = () => confined?.canEscape() === true;
  return {
    name: "bash",
    description:
      "Run a shell command (bash syntax) in the workspace. Each call is a new shell: variables and " +
      "folder changes do not carry over. stdin is empty. Returns exit_code, stdout, stderr. " +
      `Background processes end with the call${confined ? "." : " unless started with setsid."}${
        sandboxSentence(confined)
      }`,
    capabilities: ["shell"],
    get input() {
      return canEscape() ? either : inside;
    },
    parallel: false,
    origin: { kind: "built-in" },
    grantKey: ({ command }) => bashGrantKey(command),
    async run({ command, timeout_seconds, outside_sandbox }, context) {
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
      const { input, ...words } = invocation(used, command);
      const line = {
        file: used.path,
        ...words,
        cwd: context.workspace,
        env: commandEnvironment(context.childEnv, context.workspace),
      };
      const inside = outside_sandbox ? undefined : context.sandbox?.wrap(line);
      let isOver = false;
      try {
        const result = await context.host.processes.run({
          ...inside ?? line,
          ...input && { input },
          timeoutMs: timeout.seconds * 1000,
          maxOutputBytes,
          maxTotalBytes: maxOutputBytes,
          foldsFrames: true,
          onOutput: (_stream, delta) => context.progress(delta),
        }, context.signal);
        isOver = true;
        return commandResult(
          result,
          timeout,
          context.signal,
          sandboxNotes(result, inside, canEscape()),
        );
      } catch (error) {
        if (!(error instanceof ProcessStartError)) throw error;
        const notice = used.notice === undefined ? "" : ` ${used.notice}`;
        throw new ToolFailure("tool_failed", `${error.message}${notice}`, { cause: error });
      } finally {
        if (!isOver) inside?.finish();
      }
    },
  };
}

function sandboxSentence(confined: CommandSandbox | undefined): string {
  if (confined === undefined) return "";
  const { mode, net } = confined;
  const written = mode === "read" ? "only /tmp" : "only the workspace and /tmp";
  const reached = net === "off"
    ? "there is no network"
    : net === "on"
    ? "there is a network"
    : `there is no network but to ${net.join(", ")}`;
  return ` Commands run in a sandbox: ${written} can be written, ${reached}.`;
}

function needsReason({ outside_sandbox, reason }: BashInput): string | undefined {
  return outside_sandbox && !reason?.trim() ? "outside_sandbox needs a reason" : undefined;
}

/** What the result's head says of the sandbox. */
function sandboxNotes(
  { exitCode, stdout, stderr }: ProcessResult,
  inside: SandboxedCommand | undefined,
  canEscape: boolean,
): string[] {
  const lines = inside?.finish({ exitCode, output: `${stdout.text}\n${stderr.text}` }) ?? [];
  if (lines.length === 0) return [];
  const advice = canEscape
    ? "To run it outside, call bash again with outside_sandbox: true and a reason"
    : "Nobody can allow it in this run: do without, and say what is missing";
  return [...lines.map((line) => `sandbox: ${line}`), ...exitCode === 0 ? [] : [advice]];
}

/** More than a day is meant as milliseconds, unless it is whole days. */
function timeoutOf(given = defaultTimeoutSeconds): Timeout {
  const inMilliseconds = given > longestTimeoutSeconds && given % longestTimeoutSeconds !== 0;
  const wanted = inMilliseconds ? given / 1000 : given;
  const seconds = Math.min(Math.max(1, wanted), longestTimeoutSeconds);
  if (seconds === given) return { seconds };
  // beyond that a number may not be the one that was sent
  const shown = Math.abs(given) > Number.MAX_SAFE_INTEGER ? "beyond 2^53" : String(given);
  const read = inMilliseconds ? ", read as milliseconds," : "";
  return { seconds, note: `timeout: timeout_seconds ${shown}${read} counted as ${seconds} s` };
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
