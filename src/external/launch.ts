/** The command line that starts a tool's executable. */
import { extname } from "node:path";
import type { Host } from "../core/host.ts";

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The executable under the selected shell, which never parses an argument: they reach it as
 * positional parameters. The shell also runs a script that has no `#!` line.
 * On Windows native programs start directly and scripts by the program of their kind.
 */
export function launchOf(
  executable: string,
  args: readonly string[],
  shell: string,
  platform: Host["platform"],
): Launch {
  if (platform !== "windows") {
    return { file: shell, args: ["-c", 'exec "$0" "$@"', executable, ...args] };
  }
  switch (extname(executable).toLowerCase()) {
    case ".cmd":
    case ".bat":
      return { file: "cmd.exe", args: ["/d", "/c", executable, ...args] };
    case ".ps1":
      return {
        file: "powershell.exe",
        args: ["-NoProfile", "-ExecutionPolicy", "Bypass", "-File", executable, ...args],
      };
    case ".py":
      return { file: "py.exe", args: [executable, ...args] };
    case ".js":
    case ".mjs":
      return { file: "node.exe", args: [executable, ...args] };
    case ".sh":
      return { file: shell, args: [executable, ...args] };
    default:
      return { file: executable, args };
  }
}
