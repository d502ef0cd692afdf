/** The git tool: a look at the workspace's repository that runs none of its code. */
import { join, relative } from "node:path";
import { ToolFailure } from "../core/failure.ts";
import type { ProcessResult } from "../core/host.ts";
import {
  argumentShape,
  type ArgumentsOf,
  choice,
  number,
  optional,
  text,
} from "../core/argument_shape.ts";
import type { Tool, ToolContext, ToolOutput } from "../core/tool.ts";
import { parseWorkspacePath } from "../core/workspace_path.ts";
import { inOwnFolder, refusedPath } from "../host/files/path_rule.ts";
import { shownPath } from "../lib/shown_path.ts";
import { findRepository, staysInside } from "../host/git_repository.ts";
import { isInOwnFolder } from "../host/same_place.ts";
import { headOf } from "../lib/well_formed.ts";
import { type ChangedFile, parseChanges, showsOnlySubmodules } from "./git_changes.ts";
import {
  changesArguments,
  defaultLimit,
  gitOperations,
  type GitRequest,
  mostLimit,
  operationArguments,
  revisionsArguments,
} from "./git_operation.ts";
import { gitFailed, type GitProgram, prepareGit, type WorkTree } from "./git_program.ts";
import { ignoredRevisionFiles, withView } from "./git_view.ts";
import { confirmedStatus } from "./git_status.ts";

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

/** What an operation shows, and what must be said about it. */
interface Shown {
  readonly text: string;
  /** True where bytes were not UTF-8 and were replaced. */
  readonly replaced: boolean;
  readonly cut: boolean;
  readonly notes: readonly string[];
}

async function runGit(given: GitInput, context: ToolContext): Promise<ToolOutput> {
  const operation = given.operation ?? "status";
  const { commit, limit } = given;
  const path = insidePath(given.path, context);
  const request: GitRequest = { operation, path, commit, limit };
  const wanted = operationArguments(request);
  const git = await prepareGit(context, operation);
  const run = (workTree: WorkTree, args = wanted) =>
    runShown(git, args, workTree, request, context);
  switch (operation) {
    case "status": {
      const shown = await run(git.workTree);
      return { text: resultText(request, confirmedStatus(shown, context), context) };
    }
    case "diff":
      return { text: resultText(request, await diff(git, request, context, run), context) };
    case "blame":
    case "log":
    case "show":
      return await withView(context, git, async (view) => {
        if (operation === "blame") {
          for (const file of ignoredRevisionFiles(git)) view.addSettings(file);
          if (commit === undefined && path !== undefined && !view.add(fromTop(git, path))) {
            throw new ToolFailure(
              "too_large",
              `${shownPath(path)} is too large, or not to be read`,
            );
          }
        }
        return { text: resultText(request, await run(view), context) };
      });
  }
}

function insidePath(path: string | undefined, context: ToolContext): string | undefined {
  if (path === undefined) return undefined;
  const parsed = parseWorkspacePath(path);
  if (path.includes("\0")) {
    throw new ToolFailure(
      "invalid_arguments",
      "invalid_arguments: path: expected text without NUL characters",
    );
  }
  if ("outside" in parsed || !staysInside(context.workspace, parsed.relative)) {
    throw refusedPath(path, context.workspace);
  }
  if (isInOwnFolder(context, parsed.relative)) throw inOwnFolder(path);
  return parsed.relative;
}

/** A path of the workspace as one of the repository. */
function fromTop({ workTree }: GitProgram, path: string): string {
  const inner = relative(workTree.top, workTree.folder);
  return inner === "" ? path : `${inner}/${path}`;
}

type Run = (workTree: WorkTree, args?: string[]) => Promise<Shown>;

async function runShown(
  git: GitProgram,
  args: readonly string[],
  workTree: WorkTree,
  { operation }: GitRequest,
  { limits }: ToolContext,
): Promise<Shown> {
  const once = (quotePath: boolean) =>
    git.run({ args, workTree, quotePath, maxBytes: limits.maxOutputBytes });
  let result = await once(false);
  // bytes that are no text may be part of a name: names in full, then
  if (result.stdout.replaced) result = await once(true);
  if (result.end !== "overflow" && result.exitCode !== 0) throw gitFailed(operation, result);
  return shownOf(result, limits.maxOutputBytes);
}

function shownOf({ stdout, end }: ProcessResult, maxBytes: number): Shown {
  const cut = end === "overflow" || stdout.totalBytes > maxBytes;
  return { text: stdout.text, replaced: stdout.replaced, cut, notes: [] };
}

/** Files that are compared at once. */
const mostFiles = 500;
const mostListBytes = 4 * 1024 * 1024;

/** The changes of the work tree, compared on copies; those of two revisions need no work tree. */
async function diff(
  git: GitProgram,
  request: GitRequest,
  context: ToolContext,
  run: Run,
): Promise<Shown> {
  const ask = async (args: string[]) => {
    const result = await git.run({
      args,
      workTree: git.workTree,
      quotePath: false,
      maxBytes: mostListBytes,
    });
    if (result.end !== "overflow" && result.exitCode !== 0) throw gitFailed("diff", result);
    return result.stdout.text;
  };
  const isRange = request.commit !== undefined &&
    (await ask(revisionsArguments(request.commit))).trim().includes("\n");
  if (isRange) return await withView(context, git, (view) => run(view));
  const changes = parseChanges(await ask(changesArguments(request)));
  const inner = fromTop(git, "");
  const paths = (files: readonly ChangedFile[]) =>
    files.map(({ path }) => path.slice(inner.length));
  const files = changes.filter(({ isSubmodule }) => !isSubmodule);
  const submodules = changes.filter(({ isSubmodule, path }) =>
    isSubmodule && isOwnRepository(join(git.workTree.top, path))
  ).slice(0, mostFiles);
  const shown = await withView(context, git, async (view) => {
    const compared: ChangedFile[] = [], leftOut: ChangedFile[] = [];
    for (const file of files.slice(0, mostFiles)) {
      const isText = !file.path.includes("\ufffd");
      (isText && view.add(file.path) ? compared : leftOut).push(file);
    }
    const notes = leftOutNotes(paths(leftOut), Math.max(0, files.length - mostFiles));
    if (compared.length === 0) return { text: "", replaced: false, cut: false, notes };
    return { ...await run(view, operationArguments(request, paths(compared))), notes };
  });
  if (submodules.length === 0 || shown.cut) return shown;
  const commits = await run(git.workTree, operationArguments(request, paths(submodules)));
  // A submodule is a commit here: what was swapped for a file or link by now is not shown.
  const text = showsOnlySubmodules(commits.text) ? commits.text : "";
  return { ...shown, text: shown.text + text };
}

/** A submodule whose `.git` leads elsewhere would show a commit of another repository. */
function isOwnRepository(folder: string): boolean {
  const repository = findRepository(folder);
  return repository !== undefined && !("foreign" in repository);
}

const mostNamed = 5;

function leftOutNotes(paths: readonly string[], more: number): string[] {
  const notes: string[] = [];
  if (paths.length > 0) {
    const named = paths.slice(0, mostNamed).map((path) => shownPath(path)).join(", ");
    const others = paths.length > mostNamed ? `, and ${paths.length - mostNamed} more` : "";
    notes.push(`[not compared, as too large or not to be opened by a tool: ${named}${others}]`);
  }
  if (more > 0) notes.push(`[${more} more changed files were not compared; narrow it with path]`);
  return notes;
}

function resultText({ operation }: GitRequest, shown: Shown, { limits }: ToolContext): string {
  const head = [`operation: ${operation}`];
  if (shown.replaced) head.push("encoding: bytes that are not UTF-8 were replaced");
  const { maxOutputBytes } = limits;
  const cut = `[output cut after ${maxOutputBytes} bytes; narrow it with path, commit or limit]`;
  const notes = shown.notes.join("\n");
  const body = shown.cut
    ? `${headOf(shown.text, maxOutputBytes)}\n${cut}`
    : shown.text || (notes === "" ? "(no output)" : "");
  const between = body === "" || notes === "" ? "" : "\n";
  return `${head.join("\n")}\n\n${body}${between}${notes}`;
}
