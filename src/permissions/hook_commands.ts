/** What a project's settings say of hooks: the commands that they run, for trust. */
import { isAbsolute, join, resolve } from "node:path";
import { type HookSetting, readHooks } from "../core/hook_settings.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { factsOf, kindAt, realOf } from "../host/folders.ts";
import { readUnlinkedFile } from "../host/state_files.ts";
import { parseLenient } from "../lib/lenient_json.ts";
import { isInside } from "../lib/path_inside.ts";
import { readSimpleCommand } from "../lib/shell_words.ts";
import { namesIn } from "./command_names.ts";

/** The project's settings, relative to it. */
export const settingsFile = ".nimlet/config.json";

const maxFileBytes = 1024 * 1024;
const maxFiles = 20;

/** Hooks of the project's settings, and of the files of the workspace that these name. */
async function hooksIn(
  text: string,
  workspace: string,
): Promise<{ readonly hooks: readonly HookSetting[]; readonly files: readonly string[] }> {
  const root = await objectIn(text);
  const named = Array.isArray(root.hook_files) ? root.hook_files : [];
  const files = named.filter((name) => typeof name === "string").slice(0, maxFiles)
    .map((name) => isAbsolute(name) ? name : resolve(workspace, ".nimlet", name))
    .filter((file) => isInside(workspace, file));
  const hooks = hooksOf(root.hooks);
  for (const file of files) {
    const read = readUnlinkedFile(file, maxFileBytes);
    if (read.kind === "text") hooks.push(...hooksOf((await objectIn(read.text)).hooks));
  }
  return { hooks, files };
}

/** The words of the commands that the text of the project's settings names, and other files of hooks. */
export async function hookWords(text: string, workspace: string): Promise<string[]> {
  const { hooks, files } = await hooksIn(text, workspace);
  return [...hooks.flatMap((hook) => wordsOf(hook, workspace)), ...files];
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
export async function hookLines(workspace: string): Promise<string[]> {
  const read = readUnlinkedFile(join(workspace, settingsFile), maxFileBytes);
  if (read.kind !== "text") return [];
  const { hooks } = await hooksIn(read.text, workspace);
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
  const line = filled(command);
  const words = readSimpleCommand(line)?.words.map(({ text }) => text) ??
    Array.from(line.matchAll(/"([^"]*)"|'([^']*)'/g), ([, double, single]) => double ?? single!);
  return [...words, line];
}

function hooksOf(value: Json | undefined): HookSetting[] {
  return value === undefined ? [] : [...readHooks(value).hooks];
}

async function objectIn(text: string): Promise<{ readonly [key: string]: Json }> {
  const parsed = await parseLenient(text);
  return "value" in parsed && isJsonObject(parsed.value) ? parsed.value : {};
}
