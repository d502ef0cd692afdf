/** One call of an external tool: the process, and what its end means. */
import { dirname } from "node:path";
import { childEnvironment } from "../core/child_environment.ts";
import { ToolFailure, type ToolFailureCode } from "../core/failure.ts";
import { type ProcessResult, ProcessStartError } from "../core/host.ts";
import type { JsonObject } from "../core/json.ts";
import type { ProgramEnd } from "../core/sandbox.ts";
import { leftOverLines } from "../core/left_over.ts";
import type { ToolContext, ToolOutput } from "../core/tool.ts";
import { shellStartupVariables } from "../host/shell.ts";
import { capMiddle } from "../lib/well_formed.ts";
import { curesOf } from "./cure.ts";
import { realOf } from "../host/folders.ts";
import { launchOf } from "./launch.ts";
import { readResult } from "./read_result.ts";

/** What a call runs. */
export interface Program {
  /** The tool's name, for sentences. */
  readonly name: string;
  /** Absolute. */
  readonly executable: string;
  readonly args: readonly string[];
  /** Absolute path of `tool.json`. */
  readonly manifest: string;
  readonly timeoutSeconds: number;
  /** The shell to start it with; asked for at the first call. */
  readonly shell: () => Promise<string>;
  /** True where the person's settings take it out of the sandbox. */
  readonly isOutside: boolean;
  /** Folders that the sandbox shows for it. */
  readonly shown: readonly string[];
}

/** More standard output than this ends the process. */
const stdoutLimitBytes = 8 * 1024 * 1024;

/** How much of standard error a failure quotes. */
const quotedErrorBytes = 4096;

/** Runs the tool once. Throws `ToolFailure` for every way in which it does not give one value. */
export async function callTool(
  program: Program,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolOutput> {
  const result = await runProcess(program, input, context);
  const value = await readResult(result.stdout);
  const problem = problemOf(result, program) ??
    ("problem" in value ? `${program.name} wrote ${value.problem}` : undefined);
  if ("text" in value && problem === undefined) {
    const text = capMiddle(value.text, context.limits.maxOutputBytes);
    const leftOver = leftOverLines(result);
    return { text: leftOver.length === 0 ? text : `${text}\n\n${leftOver.join("\n")}` };
  }
  const cures = [
    ...curesOf(program, result, "text" in value, context.host),
    ...result.refusals.map((line) => `sandbox: ${line}`),
  ];
  const sentence = [problem ?? "", ...cures].join("; ");
  throw failure(sentence, result, "text" in value ? value.text : undefined, context);
}

interface ConfinedResult extends ProcessResult {
  /** What the sandbox may have refused. */
  readonly refusals: readonly string[];
}

async function runProcess(
  program: Program,
  input: JsonObject,
  context: ToolContext,
): Promise<ConfinedResult> {
  const shell = await program.shell();
  const folder = dirname(program.manifest);
  const line = {
    ...launchOf(program.executable, program.args, shell, context.host.platform),
    cwd: context.workspace,
    env: {
      ...childEnvironment(context.childEnv, shellStartupVariables),
      NIMLET_WORKSPACE: context.workspace,
      NIMLET_TOOL_DIR: folder,
    },
  };
  const inside = program.isOutside
    ? undefined
    : context.sandbox?.wrap(line, program.shown.map(realOf));
  let end: ProgramEnd | undefined;
  try {
    const result = await context.host.processes.run({
      ...inside ?? line,
      // the line's end lets a shell script use `read`
      input: new TextEncoder().encode(`${JSON.stringify(input)}\n`),
      timeoutMs: program.timeoutSeconds * 1000,
      maxOutputBytes: stdoutLimitBytes,
      stdoutLimitBytes,
      onOutput: (stream, delta) => {
        if (stream === "stderr") context.progress(delta);
      },
    }, context.signal);
    const { exitCode, stdout, stderr } = result;
    end = { exitCode, output: `${stdout.text}\n${stderr.text}` };
    return { ...result, refusals: inside?.finish(end) ?? [] };
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    throw new ToolFailure("tool_failed", `tool_failed: ${program.name}: ${error.message}`, {
      cause: error,
    });
  } finally {
    if (end === undefined) inside?.finish();
  }
}

function problemOf(result: ProcessResult, { name, timeoutSeconds }: Program): string | undefined {
  switch (result.end) {
    case "timeout":
      return `TIMEOUT after ${timeoutSeconds} s: ${name} did not end in time and was ended`;
    case "aborted":
      return `INTERRUPTED (${name} was cancelled)`;
    case "overflow":
      return `${name} wrote more than ${stdoutLimitBytes} bytes to standard output and was ended`;
    case "exited":
    case "idle":
      if (result.signal !== undefined) {
        return `${name} was ended by ${result.signal} (status ${result.exitCode})`;
      }
      return result.exitCode === 0 ? undefined : `${name} exited with status ${result.exitCode}`;
  }
}

function failure(
  problem: string,
  result: ProcessResult,
  value: string | undefined,
  context: ToolContext,
): ToolFailure {
  const code: ToolFailureCode = result.end === "timeout"
    ? "timeout"
    : result.end === "aborted"
    ? "interrupted"
    : "tool_failed";
  const sections = [code === "tool_failed" ? `tool_failed: ${problem}.` : `${problem}.`];
  if (value !== undefined) {
    sections.push(`result: ${capMiddle(value, context.limits.maxOutputBytes)}`);
  } else if (result.end !== "exited" || result.exitCode !== 0) {
    addSection(sections, "stdout", result.stdout.text);
  }
  addSection(sections, "stderr", result.stderr.text);
  sections.push(...leftOverLines(result));
  return new ToolFailure(code, sections.join("\n"));
}

function addSection(sections: string[], name: string, text: string): void {
  const trimmed = text.trimEnd();
  if (trimmed !== "") sections.push(`${name}:\n${capMiddle(trimmed, quotedErrorBytes)}`);
}
