/** Finds the shell that commands are run with. */
import { basename } from "node:path";
import type { Host } from "../core/host.ts";
import { findProgram, isExecutable } from "./find_program.ts";

export interface Shell {
  /** Absolute, or as NIMLET_SHELL has it. */
  readonly path: string;
  /** Whose language it speaks; anything but bash counts as `sh`. */
  readonly kind: "bash" | "sh";
  /** Arguments that keep it from reading start-up files; `-c` and the command follow. */
  readonly args: readonly string[];
  /** One sentence for a person, where the shell is not the expected one. */
  readonly notice?: string;
}

/** Variables that make a shell read files or behave otherwise before the command has its say. */
export const shellStartupVariables = ["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH"];

/**
 * The shell in NIMLET_SHELL, else bash whatever the login shell is, else `sh` with a notice.
 * Never fails: a shell that cannot be run fails the calls that need it.
 */
export function detectShell(host: Pick<Host, "env" | "platform">): Promise<Shell> {
  return Promise.resolve(chosenShell(host) ?? bash(host) ?? sh(host));
}

function chosenShell(host: Pick<Host, "env" | "platform">): Shell | undefined {
  const chosen = host.env.get("NIMLET_SHELL");
  if (!chosen) return undefined;
  const path = /[\\/]/.test(chosen) ? chosen : findProgram(host, chosen) ?? chosen;
  if (isExecutable(path)) return shellAt(path);
  return { ...shellAt(path), notice: `NIMLET_SHELL names ${chosen}, which cannot be run.` };
}

function bash(host: Pick<Host, "env" | "platform">): Shell | undefined {
  const path = findProgram(host, "bash") ??
    ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find(isExecutable);
  return path === undefined ? undefined : shellAt(path);
}

function sh(host: Pick<Host, "env" | "platform">): Shell {
  const path = findProgram(host, "sh") ?? "/bin/sh";
  return { ...shellAt(path), notice: `bash was not found; commands are run with ${path}.` };
}

function shellAt(path: string): Shell {
  switch (basename(path).replace(/\.exe$/i, "")) {
    case "bash":
      return { path, kind: "bash", args: ["--noprofile", "--norc"] };
    case "zsh":
      return { path, kind: "sh", args: ["-f"] };
    case "fish":
      return { path, kind: "sh", args: ["--no-config"] };
    default:
      return { path, kind: "sh", args: [] };
  }
}
