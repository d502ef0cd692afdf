/** The program's own environment: its variables, home and folder. */
import { isAbsolute } from "node:path";
import type { Environment, Host } from "../core/host.ts";
import { RunFailure } from "../core/failure.ts";
import { isFolder } from "./folders.ts";

export function realEnvironment(platform: Host["platform"]): Environment {
  let home: string | undefined;
  return {
    get: (name) => variable(name),
    all: () => variables(),
    get home() {
      return home ??= homeFolder(variable(platform === "windows" ? "USERPROFILE" : "HOME"));
    },
    get cwd() {
      try {
        return Deno.cwd();
      } catch (error) {
        throw new RunFailure(
          "usage",
          "The current folder no longer exists: change to another one, or name one with --cwd.",
          { cause: error },
        );
      }
    },
  };
}

/** Only an absolute path of a folder that is there: anything else would be made in the workspace. */
function homeFolder(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) && isFolder(value) ? value : undefined;
}

function variable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (isNotText(error)) return undefined;
    throw error;
  }
}

function variables(): Record<string, string> {
  try {
    return Deno.env.toObject();
  } catch (error) {
    if (isNotText(error)) return textVariables();
    throw error;
  }
}

/** A variable that is not UTF-8 cannot be read, nor handed on: it counts as not set. */
function isNotText(error: unknown): boolean {
  return error instanceof Deno.errors.InvalidData || error instanceof TypeError;
}

/** Deno gives all variables or none; `env` distinguishes them. */
function textVariables(): Record<string, string> {
  const { stdout } = new Deno.Command("env", { args: ["-0"], stderr: "null" }).outputSync();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const found: Record<string, string> = {};
  for (let from = 0, to = stdout.indexOf(0); to >= 0; from = to + 1, to = stdout.indexOf(0, from)) {
    try {
      const entry = decoder.decode(stdout.subarray(from, to));
      const split = entry.indexOf("=");
      if (split > 0) found[entry.slice(0, split)] = entry.slice(split + 1);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return found;
}
