/** The program's own three streams: what kind they are, and the port over them. */
import type { Host, Terminal } from "../core/host.ts";
import { readInput } from "./input_stream.ts";
import { stderrWriter, stdoutWriter } from "./output_stream.ts";

/** The terminal port over the process's own streams; looks at none of them before it is asked. */
export function realTerminal(platform: Host["platform"]): Terminal {
  let stdinKind: Terminal["stdinKind"] | undefined;
  return {
    ...stdoutWriter(),
    writeErr: stderrWriter(),
    get stdinKind() {
      return stdinKind ??= kindOfStdin(platform);
    },
    get stdoutIsTerminal() {
      return Deno.stdout.isTerminal();
    },
    get stderrIsTerminal() {
      return Deno.stderr.isTerminal();
    },
    get columns() {
      return sizeOfTerminal().columns || 80;
    },
    get rows() {
      return sizeOfTerminal().rows || 24;
    },
    readIn: readInput(),
  };
}

function kindOfStdin(platform: Host["platform"]): Terminal["stdinKind"] {
  if (Deno.stdin.isTerminal()) return "terminal";
  if (platform === "windows") return "pipe";
  const info = statOrNothing("/dev/fd/0") ?? statOrNothing("/proc/self/fd/0");
  if (info === undefined) return "closed";
  if (info.isFile || info.isDirectory) return "file";
  if (info.isCharDevice) {
    return info.rdev === statOrNothing("/dev/null")?.rdev ? "null" : "file";
  }
  return "pipe";
}

function statOrNothing(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    // whatever the reason, there is nothing to read there
    return undefined;
  }
}

function sizeOfTerminal(): { columns: number; rows: number } {
  try {
    return Deno.consoleSize();
  } catch {
    return { columns: 0, rows: 0 };
  }
}
