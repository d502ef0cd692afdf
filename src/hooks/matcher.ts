/** Whether a hook is for a call or an event: its matcher, and its condition. */
import { ToolFailure } from "../core/failure.ts";
import { type HookSetting, isNameList } from "../core/hook_settings.ts";
import type { AnyTool } from "../core/tool.ts";
import { type FileGlob, parseFileGlob } from "../search/glob/file_glob.ts";
import { relative } from "node:path";
import { shownName } from "./tool_names.ts";

/** True where the matcher takes one of the names; `shown` is the one that expressions are tried on. */
export function matches(matcher: string, shown: string, others: readonly string[] = []): boolean {
  if (matcher === "" || matcher === "*") return true;
  if (!isNameList(matcher)) return new RegExp(matcher).test(shown);
  return namesOf(matcher).some((name) =>
    name === shown || others.includes(name) || name.startsWith("mcp__") && isServerOf(name, shown)
  );
}

/** True where the matcher takes calls of `tool`. */
export function matchesTool(matcher: string, tool: AnyTool): boolean {
  return matches(matcher, shownName(tool), [tool.name]);
}

/** `mcp__server` stands for all tools of that server. */
function isServerOf(name: string, tool: string): boolean {
  return tool.startsWith(name.endsWith("__") ? name : `${name}__`);
}

/** The names of a matcher that is a list of names. */
export function namesOf(matcher: string): string[] {
  return matcher.split(/[|,]/).map((name) => name.trim()).filter((name) => name !== "");
}

/** The condition of a hook over paths of the workspace; undefined where it cannot be told. */
export type Condition = (shown: string, paths: readonly string[]) => boolean;

/**
 * Reads `Edit(*.ts)`: the name of a file tool, and a glob over its path. Any other rule is true, so
 * that the hook runs.
 */
export function conditionOf({ condition }: HookSetting, workspace: string): Condition {
  const [, tool, pattern] = /^\s*(\w+)\((.*)\)\s*$/s.exec(condition) ?? [];
  const globs = tool !== undefined && fileTools.has(tool) && pattern !== undefined
    ? globsOf(pattern, workspace)
    : undefined;
  if (globs === undefined) return () => true;
  return (shown, paths) => {
    if (shown !== tool) return false;
    return paths.some((path) => globs.some((glob) => glob.test(relative(workspace, path))));
  };
}

const fileTools = new Set(["Edit", "Write", "Read"]);

function globsOf(pattern: string, workspace: string): FileGlob[] | undefined {
  const own = pattern.startsWith(`${workspace}/`) ? pattern.slice(workspace.length + 1) : pattern;
  const source = own.replace(/^(?:\.\/|\/(?!\/))/, "");
  // of what lies elsewhere nothing can be told here, so the hook runs
  if (/^(?:~|\.\.(?:\/|$)|\/)/.test(source)) return undefined;
  try {
    const globs = [parseFileGlob(source, workspace)];
    if (!source.includes("/")) globs.push(parseFileGlob(`**/${source}`, workspace));
    return globs;
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}
