/** Joins the hooks of all settings files, in their order, and says what is wrong with them. */
import { join } from "node:path";
import { RunFailure } from "../core/failure.ts";
import { hookFilePath, maxHookFiles } from "../core/hook_files.ts";
import type { Environment } from "../core/host.ts";
import { type HookProblem, readHooks } from "../core/hook_settings.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { kindAt, realOf } from "../host/folders.ts";
import { readStateFile, readUnlinkedFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { isInside } from "../lib/path_inside.ts";
import type { Hook } from "./hook.ts";

/** What one settings file says of hooks. */
export interface HookSource {
  readonly scope: Hook["scope"];
  readonly file: string;
  readonly hooks?: Json;
  readonly hookFiles: readonly string[];
}

export interface LoadOptions {
  /** Absolute real path. */
  readonly workspace: string;
  readonly env: Environment;
  readonly isTrusted: boolean;
}

export interface LoadedHooks {
  readonly hooks: readonly Hook[];
  /** One sentence each. */
  readonly warnings: readonly string[];
  /** Settings files that were read beside config.json. */
  readonly files: readonly string[];
}

const maxHooks = 64, maxFileBytes = 1024 * 1024;

/** Throws `RunFailure("config")` for hooks that cannot be understood. */
export async function loadHooks(
  sources: readonly HookSource[],
  { workspace, env, isTrusted }: LoadOptions,
): Promise<LoadedHooks> {
  const hooks: Hook[] = [], warnings: string[] = [], files: string[] = [];
  const seen = new Set(sources.map(({ file }) => realOf(file)));
  const known = new Set<string>();

  async function add(
    value: Json,
    text: string | undefined,
    { file, scope }: Pick<Hook, "file" | "scope">,
  ): Promise<void> {
    const { hooks: read, warnings: found, problem } = readHooks(value);
    const sentence = async ({ path, sentence }: HookProblem) => {
      const line = text === undefined ? undefined : await lineOf(text, path);
      return `${file}: ${path.join(".")}: ${sentence}${
        line === undefined ? "" : ` (line ${line})`
      }`;
    };
    if (problem !== undefined) throw new RunFailure("config", await sentence(problem));
    for (const one of found) warnings.push(await sentence(one));
    for (const hook of read) {
      // a guard is never the same as what is none
      const { event, matcher, command, args, condition, shell, isRequired } = hook;
      const key = JSON.stringify([event, matcher, command, args, condition, shell, isRequired]);
      if (known.has(key)) continue;
      known.add(key);
      if (hook.outsideSandbox && scope === "project") {
        warnings.push(
          `${file}: hook ${hook.name}: only your own hooks may run outside the sandbox`,
        );
      }
      const missing = missingPath(hook.command, env);
      if (missing !== undefined) {
        warnings.push(`${file}: hook ${hook.name}: ${missing} is not there`);
      }
      const outsideSandbox = hook.outsideSandbox && scope === "personal";
      hooks.push({ ...hook, outsideSandbox, scope, file, count: { runs: 0, failures: 0 } });
    }
    if (hooks.length > maxHooks) {
      throw new RunFailure("config", `${file}: expected at most ${maxHooks} hooks, found more`);
    }
  }

  async function addFile(named: string, { file: from, scope: fromScope }: HookSource) {
    const path = hookFilePath(named, from, env);
    const isInWorkspace = isInside(workspace, realOf(path));
    const where = `${from}: hook_files: ${named}`;
    if (fromScope === "project" && !isInside(workspace, path)) {
      warnings.push(`${where}: left out, as a project's files must lie in the workspace`);
      return;
    }
    if (fromScope === "personal" && isInWorkspace) {
      // trust covers what the project's own settings name, and nothing else of it may run
      if (!isTrusted || !isNamedByProject(path)) {
        warnings.push(
          `${where}: left out, as it lies in this folder, where it could be changed unseen; ` +
            "a trusted .nimlet/config.json can name it",
        );
      }
      return;
    }
    if (seen.has(realOf(path))) return;
    seen.add(realOf(path));
    // what a link leads to is not what trust has looked at
    const read = fromScope === "project"
      ? readUnlinkedFile(path, maxFileBytes)
      : readStateFile(path, maxFileBytes);
    if (read.kind === "link" || fromScope === "project" && realOf(path) !== path) {
      throw new RunFailure(
        "config",
        `${where}: expected a file, found a link; name the file itself`,
      );
    }
    if (read.kind === "missing") throw new RunFailure("config", `${where}: there is no such file`);
    if (read.kind === "unreadable") throw new RunFailure("config", `${path} ${read.reason}`);
    files.push(path);
    const parsed = await parseLenient(read.text.trim() === "" ? "{}" : read.text);
    if ("problem" in parsed || !isJsonObject(parsed.value)) {
      const at = "problem" in parsed && parsed.problem
        ? `:${parsed.problem.line}:${parsed.problem.column}: ${parsed.problem.message}`
        : ": expected an object in braces";
      throw new RunFailure("config", `${path}${at}`);
    }
    const { hooks: value, disableAllHooks } = parsed.value;
    if (disableAllHooks === true) return;
    if (value !== undefined) await add(value, read.text, { file: path, scope: fromScope });
  }

  const isNamedByProject = (path: string) =>
    sources.some(({ scope, file, hookFiles }) =>
      scope === "project" && hookFiles.some((named) => hookFilePath(named, file, env) === path)
    );

  const personalFirst = [...sources].sort((a, b) =>
    Number(a.scope === "project") - Number(b.scope === "project")
  );
  for (const source of personalFirst) {
    const { file, scope } = source;
    if (source.hookFiles.length > maxHookFiles) {
      throw new RunFailure(
        "config",
        `${file}: hook_files: expected at most ${maxHookFiles} files, found ${source.hookFiles.length}`,
      );
    }
    if (source.hooks !== undefined) await add(source.hooks, textAt(file), { file, scope });
    for (const named of source.hookFiles) await addFile(named, source);
  }
  return { hooks, warnings, files };
}

async function lineOf(text: string, path: readonly string[]): Promise<number | undefined> {
  const { lineOfKey } = await import("../lib/jsonc.ts");
  const steps = path.map((step) => /^\d+$/.test(step) ? Number(step) : step);
  for (let length = steps.length; length > 0; length--) {
    const line = lineOfKey(text, steps.slice(0, length));
    // what is missing has none, what it is missing in has one
    if (line !== undefined) return line;
  }
  return undefined;
}

function textAt(file: string): string | undefined {
  const read = readStateFile(file, maxFileBytes);
  return read.kind === "text" ? read.text : undefined;
}

/** The program of a command, where it is named by a path that leads nowhere. */
function missingPath(command: string, { home }: Environment): string | undefined {
  const [, path] = /^\s*((?:~?\/)[\w./@+-]+)(?=\s|$)/.exec(command) ?? [];
  if (path === undefined || path.startsWith("~") && home === undefined) return undefined;
  const whole = path.startsWith("~/") ? join(home!, path.slice(2)) : path;
  return kindAt(whole) === "missing" ? path : undefined;
}
