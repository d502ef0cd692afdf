/** Finds a program that stays, and its command line. */
import { extname, resolve } from "node:path";
import { type Host, ProcessStartError } from "../core/host.ts";
import { findProgram } from "./find_program.ts";

/** Absolute: with a slash relative to `folder`, else from PATH; undefined where there is none on it. */
export function programFile(
  name: string,
  folder: string,
  host: Pick<Host, "env" | "platform">,
  workspace: string,
): string | undefined {
  return /[/\\]/.test(name)
    ? resolve(folder, name)
    : findProgram(host, name, workspace, extname(name) === "" ? [".exe", ".cmd", ".bat"] : [""]);
}

/**
 * On Windows scripts are run by `cmd.exe`, which reads some characters of arguments itself: those are
 * refused with a `ProcessStartError`.
 */
export function programLaunch(file: string, args: readonly string[], platform: Host["platform"]) {
  if (platform !== "windows" || !/\.(?:cmd|bat)$/i.test(file)) return { file, args };
  const odd = args.find((arg) => /["&|<>^%\r\n]/.test(arg));
  if (odd === undefined) return { file: "cmd.exe", args: ["/d", "/c", file, ...args] };
  throw new ProcessStartError(
    "other",
    `${file} cannot be started: it is a script, and cmd.exe would read ${
      JSON.stringify(odd)
    } itself`,
  );
}
