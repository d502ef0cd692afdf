/** What settings files say of hooks: kept file by file, as lists are joined and never replaced. */
import type { Json, JsonObject } from "../core/json.ts";

/** The hooks of one file, and the other files that it names. */
export interface HookSource {
  readonly scope: "personal" | "project";
  readonly file: string;
  /** Not looked at yet. */
  readonly hooks?: Json;
  readonly hookFiles: readonly string[];
}

/** True for a setting that is not merged with others. */
export function isHookPath(path: readonly string[]): boolean {
  return path[0] === "hooks" || path[0] === "hook_files";
}

/** What a checked file says; nothing where it names no hook. */
export function hookSourcesOf(
  { hooks, hook_files: files }: JsonObject,
  file: string,
  scope: "user" | "project",
): HookSource[] {
  if (hooks === undefined && files === undefined) return [];
  return [{
    scope: scope === "user" ? "personal" : "project",
    file,
    ...hooks === undefined ? {} : { hooks },
    hookFiles: files as string[] | undefined ?? [],
  }];
}
