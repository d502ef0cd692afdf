/** The git tool: a look at the workspace's repository that runs none of its code. */
import { messageOf, ToolFailure } from "../core/failure.ts";
import { type ProcessResult, ProcessStartError } from "../core/host.ts";
import {
  argumentShape,
  type ArgumentsOf,
  choice,
  number,
  optional,
  text,
} from "../core/argument_shape.ts";
import { interruptionOf } from "../core/interruption.ts";
import type { Tool, ToolContext, ToolOutput } from "../core/tool.ts";
import { parseWorkspacePath } from "../core/workspace_path.ts";
import { outsideWorkspace } from "../host/files/path_rule.ts";
import { findProgram } from "../host/find_program.ts";
import { findRepository, staysInside } from "../host/git_repository.ts";
import { headOf } from "../lib/well_formed.ts";
import {
  filterNames,
  gitEnvironment,
  type GitSetting,
  globalArguments,
  parseSettings,
} from "./git_environment.ts";
import {
  defaultLimit,
  gitOperations,
  type GitRequest,
  mostLimit,
  operationArguments,
} from "./git_operation.ts";

const timeoutMs = 60_000;
/** More configuration than any real repository has. */
const mostConfigBytes = 4 * 1024 * 1024;
const quotedStderrBytes = 2000;

const fields = {
  operation: optional(choice("Default status.", gitOperations)),
  path: optional(text("Workspace-relative; blame needs a file.")),
  commit: optional(text("Revision; for log and show also a range.")),
  limit: optional(number(`Log entries; default ${defaultLimit}, at most ${mostLimit}.`)),
};
export type GitInput = ArgumentsOf<typeof fields>;

export const gitTool: Tool<GitInput> = {
  name: "git",
  description:
    "Inspect the workspace's git repository, read-only. diff compares the working tree with the " +
    "index, or with commit.",
  capabilities: ["read"],
  input: argumentShape(fields),
  parallel: false,
  origin: { kind: "built-in" },
  grantKey: () => "tool:git",
  run: runGit,
};

async function runGit(given: GitInput, context: ToolContext): Promise<ToolOutput> {
  const operation = given.operation ?? "status";
  const { commit, limit } = given;
  const path = await insidePath(given.path, context.workspace);
  const request: GitRequest = { operation, path, commit, limit };
  const wanted = operationArguments(request);
  const git = await prepare(context, operation);
  // outside of what git takes for a repository, diff compares any two files of the machine
  if (operation === "diff") await git.assertRepository();

  let result = await git.run(wanted, { quotePath: false });
  // bytes that are no text may be part of a name: names in full, then
  if (result.stdout.replaced) result = await git.run(wanted, { quotePath: true });
  if (result.end !== "overflow" && result.exitCode !== 0) throw failed(operation, result);
  return { text: resultText(operation, result, context.limits.maxOutputBytes) };
}

async function insidePath(path: string | undefined, workspace: string) {
  if (path === undefined) return undefined;
  const parsed = parseWorkspacePath(path);
  if (path.includes("\0")) {
    throw new ToolFailure(
      "invalid_arguments",
      "invalid_arguments: path: expected text without NUL characters",
    );
  }
  if ("outside" in parsed || !await staysInside(workspace, parsed.relative)) {
    throw outsideWorkspace(path);
  }
  return parsed.relative;
}

interface Git {
  /** Throws where git itself finds no repository, whatever the folders look like. */
  assertRepository(): Promise<void>;
  run(args: readonly string[], options: { quotePath: boolean }): Promise<ProcessResult>;
}

/** Finds git and the repository, and what of its configuration must be switched off by name. */
async function prepare(
  context: ToolContext,
  operation: GitRequest["operation"],
): Promise<Git> {
  const { workspace, host, limits } = context;
  const file = findProgram(host, "git", workspace);
  if (file === undefined) {
    throw new ToolFailure("git_failed", "git is not available: no git program was found on PATH");
  }
  const repository = await findRepository(workspace);
  if (repository === undefined) {
    throw new ToolFailure("git_failed", "the workspace is not in a git repository");
  }
  if ("foreign" in repository) {
    throw new ToolFailure(
      "outside_workspace",
      `path is outside the workspace: .git leads to ${repository.foreign}, which is not this ` +
        "workspace's repository",
    );
  }
  if (repository.bare && operation !== "log" && operation !== "show") {
    throw new ToolFailure("git_failed", "the repository is bare: only log and show work in it");
  }
  const env = gitEnvironment(context.childEnv, repository.top);
  const run = (args: readonly string[], maxBytes: number) =>
    start(context, { file, args, env, maxBytes });
  const config = await run(
    [...globalArguments([], { quotePath: true }), "config", "--list", "--null"],
    mostConfigBytes,
  );
  if (config.exitCode !== 0) throw failed("config", config);
  const settings = parseSettings(config.stdout.text);
  if (operation === "blame") await refuseFilesOutside(settings, repository.top);
  const filters = filterNames(settings);
  // a setting on the command line ends its name at `=`, and must be text
  if (filters.some((name) => /[=\ufffd]/.test(name))) {
    throw new ToolFailure(
      "git_failed",
      "the configuration of git names a filter that cannot be switched off",
    );
  }
  return {
    async assertRepository() {
      const found = await run([...globalArguments([], { quotePath: true }), "rev-parse"], 4096);
      if (found.exitCode !== 0) throw failed("diff", found);
    },
    run: (args, options) =>
      run([...globalArguments(filters, options), ...args], limits.maxOutputBytes),
  };
}

/** The one setting that makes blame read a file, and quote it in its errors, that cannot be undone. */
async function refuseFilesOutside(settings: readonly GitSetting[], top: string): Promise<void> {
  for (const { key, value } of settings) {
    if (key !== "blame.ignorerevsfile" || value === "") continue;
    const parsed = parseWorkspacePath(value);
    if ("outside" in parsed || value.startsWith("~") || !await staysInside(top, parsed.relative)) {
      throw new ToolFailure(
        "outside_workspace",
        `path is outside the workspace: ${value} (blame.ignoreRevsFile in the configuration of git)`,
      );
    }
  }
}

/** Runs git; it is ended early once it has said more than `maxBytes`. */
async function start(
  context: ToolContext,
  call: { file: string; args: readonly string[]; env: Record<string, string>; maxBytes: number },
): Promise<ProcessResult> {
  const { file, args, env, maxBytes } = call;
  try {
    const result = await context.host.processes.run({
      file,
      args,
      cwd: context.workspace,
      env,
      timeoutMs,
      // the head half must hold all that is shown
      maxOutputBytes: 2 * maxBytes + 2,
      stdoutLimitBytes: maxBytes,
    }, context.signal);
    if (result.end === "timeout") {
      throw new ToolFailure("timeout", `TIMEOUT after ${timeoutMs / 1000} s: git was ended`);
    }
    if (result.end === "aborted") {
      const { message } = interruptionOf(context.signal);
      throw new ToolFailure("interrupted", `INTERRUPTED (${message})`);
    }
    return result;
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    throw new ToolFailure("git_failed", messageOf(error), { cause: error });
  }
}

function failed(operation: string, { exitCode, stderr }: ProcessResult): ToolFailure {
  const lines = headOf(stderr.text, quotedStderrBytes).split("\n").filter((line) => line.trim());
  const reasons = lines.filter((line) => reasonMark.test(line));
  const said = (reasons.length > 0 ? reasons : lines).map((line) => line.replace(reasonMark, ""));
  const hint = /dubious ownership/.test(stderr.text)
    ? "; it belongs to another user, who is trusted once git's safe.directory names it"
    : "";
  return new ToolFailure(
    "git_failed",
    `git ${operation} failed (exit code ${exitCode}): ${
      said.join("; ") || "it gave no reason"
    }${hint}`,
  );
}

const reasonMark = /^(?:fatal|error): /;

function resultText(operation: string, { stdout, end }: ProcessResult, maxBytes: number): string {
  const head = [`operation: ${operation}`];
  if (stdout.replaced) head.push("encoding: bytes that are not UTF-8 were replaced");
  const cut = end === "overflow" || stdout.totalBytes > maxBytes;
  const body = cut
    ? `${
      headOf(stdout.text, maxBytes)
    }\n[output cut after ${maxBytes} bytes; narrow it with path, ` +
      "commit or limit]"
    : stdout.text || "(no output)";
  return `${head.join("\n")}\n\n${body}`;
}
