/** What would make a tool that failed work: said after the failure, where the signs are plain. */
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Host, ProcessResult } from "../core/host.ts";
import { findProgram, isExecutable } from "../host/find_program.ts";
import { kindAt, readHead } from "../host/folders.ts";
import { shownPath } from "../lib/shown_path.ts";

interface FailedTool {
  readonly executable: string;
  readonly manifest: string;
}

/** Sentences for a tool that did not run well; `wroteJson`: its output was in order. */
export function curesOf(
  tool: FailedTool,
  result: ProcessResult,
  wroteJson: boolean,
  host: Pick<Host, "env" | "platform">,
): string[] {
  const cures = [];
  if (result.end === "exited" && result.exitCode !== 0) {
    cures.push(startCure(tool.executable, result.exitCode, host), folderCure(tool, result));
  } else if (!wroteJson && result.end === "exited") {
    cures.push(outputCure(result.stdout.text));
  }
  return cures.filter((cure) => cure !== undefined);
}

/** The shell's statuses for a program that cannot be run, and for one that is not there. */
const notRun = [126, 127];

function startCure(
  executable: string,
  exitCode: number,
  host: Pick<Host, "env" | "platform">,
): string | undefined {
  if (host.platform === "windows") return undefined;
  const head = readHead(executable, 512);
  if (head.kind !== "head") return undefined;
  const start = new TextDecoder().decode(head.bytes);
  if (start.includes("\0")) return undefined;
  const [line = ""] = start.split("\n", 1);
  const name = basename(executable);
  if (!line.startsWith("#!")) {
    return `${name} has no #! line, so the shell ran it: if it is no shell script, begin it with ` +
      "the program that runs it, as #!/usr/bin/env python3";
  }
  if (line.endsWith("\r")) {
    return `its #! line ends in CRLF: save ${name} with LF line ends`;
  }
  const missing = notRun.includes(exitCode) ? missingInterpreter(line, host) : undefined;
  return missing &&
    `${missing}, which the #! line of ${name} asks for, is not there: install it, ` +
      "or name another program";
}

/** The program that a `#!` line names, where it cannot be found. */
function missingInterpreter(
  line: string,
  host: Pick<Host, "env" | "platform">,
): string | undefined {
  const [program = "", ...args] = line.slice(2).trim().split(/\s+/);
  if (program === "") return undefined;
  if (basename(program) !== "env") return isExecutable(program) ? undefined : shownPath(program);
  const named = args.find((arg) => !arg.startsWith("-") && !arg.includes("="));
  if (named === undefined || named.includes("/")) return undefined;
  return findProgram(host, named) === undefined ? shownPath(named) : undefined;
}

const maxNames = 50;

/** A file that was not found where the tool runs, though it lies in the tool's folder. */
function folderCure(
  { manifest }: FailedTool,
  { stderr, stdout }: ProcessResult,
): string | undefined {
  const folder = dirname(manifest);
  const text = `${stderr.text}\n${stdout.text}`;
  if (!/no such file|not found|cannot find|ENOENT|can't open|cannot open/i.test(text)) {
    return undefined;
  }
  const words = text.match(/[\w./@+-]+/g)?.slice(0, 2000) ?? [];
  const names = new Set(words.map((word) => word.replace(/[.:]+$/, "")));
  const found = [...names].slice(0, 10 * maxNames).find((name) =>
    name.includes(".") && !isAbsolute(name) && !name.includes("..") &&
    kindAt(join(folder, name)) === "file" && name !== "tool.json"
  );
  return found &&
    `${shownPath(found)} lies in the tool's folder, but tools run in the workspace: ` +
      "NIMLET_TOOL_DIR names that folder";
}

/** Signs in standard output that is not one JSON value. */
function outputCure(stdout: string): string | undefined {
  const text = stdout.trim();
  if (text === "") return undefined;
  if (isJson(text)) return undefined;
  const lines = text.split("\n");
  for (let at = lines.length - 1; at > 0 && at > lines.length - maxNames; at--) {
    if (isJson(lines.slice(at).join("\n"))) return logs;
  }
  for (let at = 1; at < lines.length && at < maxNames; at++) {
    if (isJson(lines.slice(0, at).join("\n"))) return logs;
  }
  return /^(?:[[{(]\s*(?:'|None\b|True\b|False\b)|[[{(].*(?:: |, )(?:'|None\b|True\b|False\b)|None$|True$|False$|'.*'$)/s
      .test(text)
    ? "that is how Python shows a value: print json.dumps(value) instead"
    : undefined;
}

const logs = "logs belong on stderr: stdout holds the JSON value alone";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // asked only whether it is
  }
}
