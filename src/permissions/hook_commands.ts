/** What a project's settings say of hooks: the commands that they run, for trust. */
import { join, resolve } from "node:path";
import { hookFilePath, maxHookFiles } from "../core/hook_files.ts";
import { type HookSetting, readHooks } from "../core/hook_settings.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { factsOf, kindAt, realOf } from "../host/folders.ts";
import { readStateFile, readUnlinkedFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { isInside } from "../lib/path_inside.ts";
import { readSimpleCommand } from "../lib/shell_words.ts";
import { namesIn } from "./command_names.ts";

/** The project's settings, relative to it. */
export const settingsFile = ".nimlet/config.json";

const maxFileBytes = 1024 * 1024;

/** Hooks of the project's settings, and of the files of the workspace that these name. */
async function hooksIn(
  text: string,
  { workspace, home }: HookPlace,
): Promise<{ readonly hooks: readonly HookSetting[]; readonly files: readonly string[] }> {
  const root = await objectIn(text);
  const named = Array.isArray(root.hook_files) ? root.hook_files : [];
  const files = named.filter((name) => typeof name === "string").slice(0, maxHookFiles)
    .map((name) => hookFilePath(name, join(workspace, settingsFile), { home }))
    .filter((file) => isInside(workspace, file));
  const hooks = hooksOf(root.hooks);
  for (const file of files) {
    const read = readUnlinkedFile(file, maxFileBytes);
    if (read.kind !== "text") continue;
    const { hooks: more, disableAllHooks } = await objectIn(read.text);
    if (disableAllHooks !== true) hooks.push(...hooksOf(more));
  }
  return { hooks, files };
}

/** The words of the commands that the text of the project's settings names, and other files of hooks. */
export async function hookWords(text: string, place: HookPlace): Promise<string[]> {
  const { hooks, files } = await hooksIn(text, place);
  return [...hooks.flatMap((hook) => wordsOf(hook, place.workspace)), ...files];
}

/**
 * The files of the workspace that the words name. Folders do not count: a formatter is given those that
 * the model works in.
 */
export function filesOfHooks(words: readonly string[], { workspace, home }: HookPlace): string[] {
  const names = new Set(words.flatMap((word) => namesIn(word).map(({ text }) => text)));
  const places = [...names].map((name) =>
    name.startsWith("~/") && home !== undefined
      ? join(home, name.slice(2))
      : resolve(workspace, name)
  );
  const isOurs = (path: string) => isInside(workspace, path) || isInside(workspace, realOf(path));
  // `cd tools && ./check.sh`
  const folders = places.filter((path) => isOurs(path) && kindAt(path) === "folder");
  const inner = folders.flatMap((folder) => [...names].map((name) => resolve(folder, name)));
  const files = [...new Set([...places, ...inner])].slice(0, maxNames)
    .flatMap((path) => [path, ...endings.map((ending) => `${path}${ending}`)])
    .filter((path) => isOurs(path) && factsOf(path).kind === "file");
  return [...new Set(files)].sort();
}

interface HookPlace {
  readonly workspace: string;
  readonly home?: string | undefined;
}

const maxNames = 2000;
/** `python -m check` is `check.py`. */
const endings = [".py", ".sh", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl"];

/** One line a hook, for the question about trust; not escaped. */
export async function hookLines(place: HookPlace): Promise<string[]> {
  // through links, as the settings are read
  const read = readStateFile(join(place.workspace, settingsFile), maxFileBytes);
  if (read.kind !== "text") return [];
  const { hooks } = await hooksIn(read.text, place);
  return hooks.map(({ event, matcher, command, args = [] }) =>
    `hook ${[event, matcher].filter((part) => part !== "").join(" ")}: ${
      [command, ...args].join(" ")
    }`
  );
}

/**
 * What can name a file: the words without quotes, with the workspace in place of its variables, and the
 * text as a whole, of which every piece counts.
 */
function wordsOf({ command, args }: HookSetting, workspace: string): string[] {
  const filled = (text: string) =>
    text.replace(/\$\{?(?:CLAUDE_PROJECT_DIR|NIMLET_WORKSPACE)\}?/g, () => workspace);
  if (args !== undefined) return [command, ...args].map(filled);
  const line = withoutTargets(filled(command));
  const words = readSimpleCommand(line)?.words.map(({ text }) => text) ??
    Array.from(line.matchAll(/"([^"]*)"|'([^']*)'/g), ([, double, single]) => double ?? single!);
  return [...words, line];
}

/**
 * `line` without the files that it only writes to, as `>> log`: nothing of these is run, and they change
 * with each run. One that is named elsewhere, too, still counts.
 */
function withoutTargets(line: string): string {
  return line.replace(/(?:\d|&)?>{1,2}\|?\s*("[^"$`]*"|'[^']*'|[^\s"'$`;&|<>()]+)/g, " ");
}

function hooksOf(value: Json | undefined): HookSetting[] {
  return value === undefined ? [] : [...readHooks(value).hooks];
}

async function objectIn(text: string): Promise<{ readonly [key: string]: Json }> {
  const parsed = await parseLenient(text);
  return "value" in parsed && isJsonObject(parsed.value) ? parsed.value : {};
}
