/** Says what a typed line means. */
import type { Command } from "./command.ts";

export type TypedLine =
  | { readonly kind: "nothing" }
  /** `!command`, whose output is sent, and `!!command`, whose output is only shown. */
  | { readonly kind: "shell"; readonly command: string; readonly send: boolean }
  | { readonly kind: "command"; readonly command: Command; readonly args: string }
  /** Starts with a slash, but is none of the console's own commands: a template, skill, path, mistake. */
  | { readonly kind: "slash"; readonly name: string }
  | { readonly kind: "prompt" };

export function readTyped(line: string, commands: readonly Command[]): TypedLine {
  if (line.trim() === "") return { kind: "nothing" };
  const [, bangs, command = ""] = /^\s*(!!?)([\s\S]*)$/.exec(line) ?? [];
  if (bangs !== undefined) {
    return command.trim() === ""
      ? { kind: "prompt" }
      : { kind: "shell", command: command.trim(), send: bangs === "!" };
  }
  const [, left] = /^\s*(exit|quit|:q)\s*$/.exec(line) ?? [];
  const quit = left === undefined ? undefined : commands.find(({ name }) => name === "quit");
  if (quit !== undefined) return { kind: "command", command: quit, args: "" };
  if (line.trimEnd() === "/") return { kind: "slash", name: "" };
  const [, name, args = ""] = /^\/(\S+)([\s\S]*)$/.exec(line) ?? [];
  if (name === undefined) return { kind: "prompt" };
  const found = commands.find((candidate) => candidate.name === name);
  return found === undefined ? { kind: "slash", name } : { kind: "command", command: found, args };
}
