/** What each git operation runs: arguments that only this program chooses, then names. */
import { ToolFailure } from "../core/failure.ts";
import { assertNever } from "../lib/assert_never.ts";

export const gitOperations = ["status", "log", "show", "diff", "blame"] as const;
export type GitOperation = typeof gitOperations[number];

export const defaultLimit = 20;
export const mostLimit = 100;

export interface GitRequest {
  readonly operation: GitOperation;
  /** Relative to the workspace, inside it, `""` for the workspace itself. */
  readonly path: string | undefined;
  readonly commit: string | undefined;
  readonly limit: number | undefined;
}

// `dirty`: looking into a submodule's files would start a git that obeys its configuration
const diffOptions = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--submodule=short",
  "--ignore-submodules=dirty",
  "--relative",
];
/** Paths from the top, as the index has them. */
const listOptions = ["--no-relative", "--raw", "-z", "--no-renames"];
const logOptions = [
  "--pretty=medium",
  "--date=iso",
  "--decorate=short",
  "--no-show-signature",
  "--no-notes",
  "--no-mailmap",
];

/** The files that a diff has to compare, and which of them are submodules. */
export function changesArguments(request: GitRequest): string[] {
  const path = request.path === undefined ? "." : request.path || ".";
  return ["diff", ...diffOptions, ...listOptions, ...revisions(request), "--", path];
}

/** The ids of a revision; two or more for a range. */
export function revisionsArguments(commit: string): string[] {
  return ["rev-parse", "--revs-only", revision(commit, "diff"), "--"];
}

/**
 * The subcommand with its arguments; names stand where git cannot take them for options. `paths` are
 * workspace-relative, and take the place of the request's.
 */
export function operationArguments(request: GitRequest, paths?: readonly string[]): string[] {
  const { operation } = request;
  const path = paths ?? (request.path === undefined ? [] : [request.path || "."]);
  const commit = revisions(request);
  switch (operation) {
    case "status":
      return [
        "status",
        "--short",
        "--branch",
        "--untracked-files=normal",
        "--ignore-submodules=dirty",
        "--",
        ...path.length > 0 ? path : ["."],
      ];
    case "log":
      return [
        "log",
        `--max-count=${clampedLimit(request.limit)}`,
        ...logOptions,
        ...diffOptions,
        ...commit,
        "--",
        ...path,
      ];
    case "show":
      return [
        "show",
        ...logOptions,
        ...diffOptions,
        "--cc",
        ...commit.length > 0 ? commit : ["HEAD"],
        "--",
        ...path,
      ];
    case "diff":
      return ["diff", ...diffOptions, ...commit, "--", ...path.length > 0 ? path : ["."]];
    case "blame":
      if (!request.path) {
        throw new ToolFailure("invalid_arguments", "invalid_arguments: path: blame needs a file");
      }
      return ["blame", "--no-textconv", "--date=iso", ...commit, "--", ...path];
    default:
      return assertNever(operation);
  }
}

function revisions({ commit, operation }: GitRequest): string[] {
  return commit === undefined ? [] : [revision(commit, operation)];
}

function clampedLimit(limit = defaultLimit): number {
  return Math.min(Math.max(1, Math.trunc(limit)), mostLimit);
}

const maxRevisionChars = 4096;

/** A revision as given, its path (`HEAD:src/a.ts`) read from the workspace's folder. */
function revision(commit: string, operation: GitOperation): string {
  const refuse = (problem: string) =>
    new ToolFailure(
      "invalid_arguments",
      `invalid_arguments: commit: expected a revision, found ${JSON.stringify(commit)}${problem}`,
    );
  if (commit.length > maxRevisionChars) {
    throw new ToolFailure(
      "invalid_arguments",
      `invalid_arguments: commit: expected at most ${maxRevisionChars} characters, found ` +
        `${commit.length}`,
    );
  }
  if (commit.trim() === "" || commit.startsWith("-")) throw refuse("");
  // deno-lint-ignore no-control-regex -- git cannot be given them
  if (/[\x00\n]/.test(commit)) throw refuse("");
  if (commit.startsWith(":/")) return commit;
  // braces hold dates and search texts, which may have colons of their own
  const colon = commit.replace(/\{[^}]*\}/g, (group) => "_".repeat(group.length)).indexOf(":");
  if (colon < 0) return commit;
  const path = commit.slice(colon + 1);
  if (operation !== "show" || colon === 0) throw refuse("; name a file with path");
  if (path.startsWith("/") || path.split("/").includes("..")) {
    throw new ToolFailure("outside_workspace", `path is outside the workspace: ${path}`);
  }
  return `${commit.slice(0, colon)}:./${path.replace(/^(?:\.\/)+/, "")}`;
}
