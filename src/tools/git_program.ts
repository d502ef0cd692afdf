/** Prepares git for the workspace's repository: finds it, judges it, and tells it what not to run. */
import { messageOf, ToolFailure } from "../core/failure.ts";
import { type ProcessResult, ProcessStartError } from "../core/host.ts";
import { interruptionOf } from "../core/interruption.ts";
import type { ToolContext } from "../core/tool.ts";
import { findProgram } from "../host/find_program.ts";
import { findRepository } from "../host/git_repository.ts";
import { headOf } from "../lib/well_formed.ts";
import {
  filterNames,
  gitEnvironment,
  type GitSetting,
  globalArguments,
  parseSettings,
} from "./git_environment.ts";
import type { GitOperation } from "./git_operation.ts";
import { refusePipes, waitsSomewhere } from "./git_pipes.ts";

const timeoutMs = 60_000;
/** git on files alone is never still for so long. */
const idleMs = 5_000;
/** More configuration than any real repository has. */
const mostConfigBytes = 4 * 1024 * 1024;
const quotedStderrBytes = 2000;

/** Where git finds the files that it compares, and from which of its folders it sees them. */
export interface WorkTree {
  readonly top: string;
  readonly folder: string;
}

export interface GitRun {
  readonly args: readonly string[];
  readonly workTree: WorkTree;
  /** Names in full, with escapes, where they could be bytes that are no text. */
  readonly quotePath: boolean;
  readonly maxBytes: number;
  readonly input?: Uint8Array;
}

export interface GitProgram {
  /** The real one. */
  readonly workTree: WorkTree;
  readonly settings: readonly GitSetting[];
  run(wanted: GitRun): Promise<ProcessResult>;
}

/** Throws `ToolFailure` where there is no git, no repository, or one that is not the workspace's own. */
export async function prepareGit(
  context: ToolContext,
  operation: GitOperation,
): Promise<GitProgram> {
  const file = findProgram(context.host, "git", context.workspace);
  if (file === undefined) {
    throw new ToolFailure("git_failed", "git is not available: no git program was found on PATH");
  }
  const repository = ownRepository(context.workspace);
  if (repository.bare && operation !== "log" && operation !== "show") {
    throw new ToolFailure("git_failed", "the repository is bare: only log and show work in it");
  }
  const workTree = { top: repository.top, folder: context.workspace };
  refusePipes({ ...workTree, gitFolder: repository.gitFolder });
  const run = (wanted: GitRun, filters: readonly string[], gitFolder?: string) =>
    start(context, wanted, {
      file,
      args: [...globalArguments(filters, wanted), ...wanted.args],
      cwd: wanted.workTree.folder,
      env: gitEnvironment(context.childEnv, wanted.workTree.top, gitFolder),
    });
  const ask = (...args: string[]) =>
    run({ args, workTree, quotePath: true, maxBytes: mostConfigBytes }, []);

  // What git itself finds counts, too: it refuses repositories of other users.
  const [found, config] = await Promise.all([
    ask("rev-parse", "--absolute-git-dir"),
    ask("config", "--list", "--null"),
  ]);
  if (found.exitCode !== 0) throw gitFailed(operation, found);
  if (found.stdout.text !== `${repository.gitFolder}\n`) {
    throw foreign(`is read by git as ${found.stdout.text.trimEnd()}`);
  }
  if (config.exitCode !== 0) throw gitFailed("config", config);
  const settings = parseSettings(config.stdout.text);
  refuseOtherStorage(settings);
  const filters = filterNames(settings);
  // a setting on the command line ends its name at `=`, and must be text
  if (filters.some((name) => /[=\ufffd]/.test(name))) {
    throw new ToolFailure(
      "git_failed",
      "the configuration of git names a filter that cannot be switched off",
    );
  }
  return { workTree, settings, run: (wanted) => run(wanted, filters, repository.gitFolder) };
}

function ownRepository(workspace: string) {
  const repository = findRepository(workspace);
  if (repository === undefined) {
    throw new ToolFailure("git_failed", "the workspace is not in a git repository");
  }
  if ("foreign" in repository) throw foreign(repository.foreign);
  return repository;
}

/** Completes the sentence ".git ...". */
function foreign(problem: string): ToolFailure {
  return new ToolFailure("outside_workspace", `path is outside the workspace: .git ${problem}`);
}

/** Newer gits can keep their refs at any place that the configuration names. */
function refuseOtherStorage(settings: readonly GitSetting[]): void {
  const storage = settings.find(({ key }) => key === "extensions.refstorage")?.value ?? "";
  if (storage.includes(":")) throw foreign(`keeps its refs at ${storage}`);
}

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Runs git; it is ended early once it has said more than `maxBytes`. */
async function start(
  { host, signal }: ToolContext,
  { maxBytes, input }: GitRun,
  spec: Start,
): Promise<ProcessResult> {
  try {
    const result = await host.processes.run({
      ...spec,
      ...(input === undefined ? {} : { input }),
      timeoutMs,
      idleMs,
      // the head half must hold all that is shown
      maxOutputBytes: 2 * maxBytes + 2,
      stdoutLimitBytes: maxBytes,
    }, signal);
    if (result.end === "timeout") {
      throw new ToolFailure("timeout", `TIMEOUT after ${timeoutMs / 1000} s: git was ended`);
    }
    if (result.end === "idle") throw waitsSomewhere(idleMs / 1000);
    if (result.end === "aborted") {
      const { message } = interruptionOf(signal);
      throw new ToolFailure("interrupted", `INTERRUPTED (${message})`);
    }
    return result;
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    throw new ToolFailure("git_failed", messageOf(error), { cause: error });
  }
}

/** The failure of a git that ended with another status than 0, in git's own words. */
export function gitFailed(operation: string, { exitCode, stderr }: ProcessResult): ToolFailure {
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
