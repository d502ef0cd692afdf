/** Reads the `hooks` of a settings file: pure, so that who trusts them sees what runs. */
import {
  foreignHookEvents,
  type HookEvent,
  hookEvents,
  hookEventTable,
  isHookEvent,
} from "./hook_events.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { nearest } from "../lib/nearest.ts";

/** One command that is started for one event. */
export interface HookSetting {
  readonly event: HookEvent;
  /** "" for all. */
  readonly matcher: string;
  readonly command: string;
  /** With it `command` is a program, and no shell reads anything. */
  readonly args?: readonly string[];
  /** What reads the command: `sh` where nothing else is said. */
  readonly shell: "sh" | "bash" | "powershell";
  readonly timeoutMs: number;
  readonly isRequired: boolean;
  readonly isAsync: boolean;
  /** `Edit(*.ts)`: "" for none. */
  readonly condition: string;
  readonly name: string;
  readonly statusMessage?: string;
  readonly outsideSandbox: boolean;
}

export interface ReadHooks {
  readonly hooks: readonly HookSetting[];
  readonly warnings: readonly HookProblem[];
  /** The first of what makes the file unusable. */
  readonly problem?: HookProblem;
}

export interface HookProblem {
  readonly path: readonly string[];
  readonly sentence: string;
}

/** How hooks are written. */
export const hookForm =
  '"PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "./check.sh" } ] } ]';

const handlerKeys = [
  "type",
  "command",
  "args",
  "shell",
  "timeout",
  "required",
  "async",
  "if",
  "name",
  "statusMessage",
  "outside_sandbox",
];
/** Keys of other programs that change nothing here. */
const foreignKeys = ["asyncRewake", "description", "once"];
const foreignTypes = ["agent", "http", "mcp_tool", "prompt"];
const minSeconds = 0.1, maxSeconds = 3600;

/** The hooks in `value`, in the order in which they are written. */
export function readHooks(value: Json): ReadHooks {
  const hooks: HookSetting[] = [], warnings: HookProblem[] = [];
  let problem: HookProblem | undefined;
  const wrong = (path: readonly string[], sentence: string) =>
    void (problem ??= { path: ["hooks", ...path], sentence });
  const warn = (path: readonly string[], sentence: string) =>
    void warnings.push({ path: ["hooks", ...path], sentence });
  const ill = (path: readonly string[], found: string) =>
    wrong(path, `expected ${hookForm}, found ${found}`);

  function event(name: string, groups: Json): void {
    if (!isHookEvent(name)) {
      if (foreignHookEvents.has(name)) return warn([name], "never fires here");
      const guess = nearest(name, hookEvents);
      return warn(
        [name],
        `there is no such event${guess === undefined ? "" : `; did you mean ${guess}?`}`,
      );
    }
    if (!Array.isArray(groups)) return ill([name], kindOf(groups));
    for (const [index, group] of groups.entries()) {
      const path = [name, String(index)];
      if (!isJsonObject(group)) ill(path, kindOf(group));
      else if (!Array.isArray(group.hooks)) {
        ill(path, "command" in group ? "a command beside matcher" : "no array named hooks");
      } else if (group.matcher !== undefined && typeof group.matcher !== "string") {
        wrong([...path, "matcher"], `expected a text, found ${kindOf(group.matcher)}`);
      } else matched(name, group, group.hooks, path);
    }
  }

  function matched(name: HookEvent, group: JsonObject, handlers: Json[], path: string[]): void {
    const matcher = group.matcher as string | undefined ?? "";
    const fault = matcherFault(matcher);
    if (fault !== undefined) return wrong([...path, "matcher"], fault);
    for (const key of Object.keys(group)) {
      if (key === "matcher" || key === "hooks" || foreignKeys.includes(key)) continue;
      if (handlerKeys.includes(key)) return ill(path, `${key} beside matcher`);
      warn([...path, key], "is no key of a matcher, and is ignored");
    }
    for (const [index, handler] of handlers.entries()) {
      const at = [...path, "hooks", String(index)];
      if (isJsonObject(handler)) one(name, matcher, handler, at);
      else ill(at, kindOf(handler));
    }
  }

  function one(name: HookEvent, matcher: string, handler: JsonObject, path: string[]): void {
    const { type, command, args, shell } = handler;
    const isRequired = handler.required === true;
    if (typeof type === "string" && foreignTypes.includes(type)) {
      const sentence = `hooks of type ${type} are not run here; a command can do the same`;
      return isRequired
        ? wrong(path, `${sentence}, and this one is required`)
        : warn(path, sentence);
    }
    if (type !== "command") return ill(path, `type ${shown(type)}`);
    if (typeof command !== "string" || command.trim() === "") {
      return ill(path, `command ${shown(command)}`);
    }
    const expect = (key: string, expected: string) =>
      wrong([...path, key], `expected ${expected}, found ${shown(handler[key])}`);
    if (args !== undefined && !isTexts(args)) return expect("args", "an array of texts");
    if (shell !== undefined && shell !== "bash" && shell !== "powershell") {
      return expect("shell", '"bash" or "powershell"');
    }
    for (const key of ["required", "async", "asyncRewake", "outside_sandbox"]) {
      if (!isOptional(handler[key], "boolean")) return expect(key, "true or false");
    }
    for (const key of ["if", "name", "statusMessage"]) {
      if (!isOptional(handler[key], "string")) return expect(key, "a text");
    }
    const { guards, timeoutSeconds } = hookEventTable[name];
    const seconds = handler.timeout ?? timeoutSeconds;
    if (typeof seconds !== "number" || seconds < minSeconds || seconds > maxSeconds) {
      return expect("timeout", `seconds from ${minSeconds} to ${maxSeconds}`);
    }
    const isAsync = handler.async === true || handler.asyncRewake === true;
    if (isRequired && !guards) {
      return wrong([...path, "required"], `nothing can wait for a hook of ${name}`);
    }
    if (isRequired && isAsync) {
      return wrong(
        [...path, "required"],
        "an async hook is not waited for, so it cannot be required",
      );
    }
    for (const key of Object.keys(handler)) {
      if (handlerKeys.includes(key) || foreignKeys.includes(key)) continue;
      const guess = nearest(key, handlerKeys);
      warn([...path, key], `is no key of a hook${guess ? `; did you mean ${guess}?` : ""}`);
    }
    hooks.push({
      event: name,
      matcher,
      command,
      ...args === undefined ? {} : { args: args as string[] },
      shell: shell ?? "sh",
      timeoutMs: seconds * 1000,
      isRequired,
      isAsync,
      condition: handler.if as string | undefined ?? "",
      name: nameOf(handler.name as string | undefined, command),
      ...typeof handler.statusMessage === "string" ? { statusMessage: handler.statusMessage } : {},
      outsideSandbox: handler.outside_sandbox === true,
    });
  }

  if (!isJsonObject(value)) ill([], kindOf(value));
  else for (const [name, groups] of Object.entries(value)) event(name, groups);
  return { hooks, warnings, ...problem === undefined ? {} : { problem } };
}

/** True for a matcher that is a list of names, which are compared whole. */
export function isNameList(matcher: string): boolean {
  return /^[\w\-|, ]*$/.test(matcher);
}

function matcherFault(matcher: string): string | undefined {
  if (matcher === "*" || isNameList(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch {
    return `expected names as Bash|Edit, or a regular expression, found ${shown(matcher)}`;
  }
}

const maxNameChars = 60;

/** The name, or the first word of the command, without its folder. */
function nameOf(name: string | undefined, command: string): string {
  const given = name?.trim() || firstWord(command);
  return given.replace(/[\p{C}\s]+/gu, " ").trim().slice(0, maxNameChars) || "hook";
}

function firstWord(command: string): string {
  const [, double, single, plain] = /^\s*(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(command) ?? [];
  const word = double ?? single ?? plain ?? "";
  // `"$DIR"/x.sh` goes on after the quote
  const rest = /^\s*(?:"[^"]*"|'[^']*')(\S+)/.exec(command)?.[1] ?? "";
  return `${word}${rest}`.replace(/\/+$/, "").split(/[/\\]/).at(-1) || word;
}

function isTexts(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isOptional(value: Json | undefined, type: "boolean" | "string"): boolean {
  return value === undefined || typeof value === type;
}

function kindOf(value: Json): string {
  return value === null
    ? "null"
    : Array.isArray(value)
    ? "an array"
    : typeof value === "object"
    ? "an object"
    : shown(value);
}

function shown(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value).toWellFormed();
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
