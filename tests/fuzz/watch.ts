/** What must hold for each result of a random call, and for the machine around it. */
import assert from "node:assert/strict";
import { byteLength } from "../../src/lib/well_formed.ts";

export interface SeenResult {
  readonly name: string;
  readonly output: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Bytes of a whole result, by tool; others have the bound of captured output. */
const mostBytes: Record<string, number> = {
  read: 200_000,
  grep: 100_000,
  glob: 200_000,
};
const mostOutputBytes = 102_000;
const mostFailureBytes = 9_000;
const longestMs = 25_000;

/** How failures start: a code, or what is wrong with what. */
const failureForms = [
  /^(invalid_arguments|unknown_tool|question_unavailable|tool_failed): ./,
  /^(path is outside the workspace|EDIT_FAILED|pattern|glob): ./,
  /^TIMEOUT after [\d.]+ s: /,
  /^INTERRUPTED \(/,
  /^(not found|leads nowhere|not a regular file|not a folder|already exists|read-only|permission denied): ./,
  /^(no such file or folder|neither a file nor a folder|cannot be read|not searched): ./,
  /^(name too long|too many symbolic links|binary file|image too large|not a usable image): ./,
  /^(start_line \d+ is past the end|nothing named .* is made: )/s,
  /^git \w+ failed \(exit code \d+\): ./,
  /^the workspace is not in a git repository/,
  /^There is no skill |^The skill [\w-]+ cannot be read: /,
];

export function assertWellFormed(result: SeenResult): void {
  const { name, output, isError } = result;
  assert.equal(typeof isError, "boolean");
  assert.ok(output.length > 0, "the text is empty");
  assert.ok(output.isWellFormed(), "the text holds half a character");
  const most = isError && name !== "bash" && !name.endsWith("_tool")
    ? mostFailureBytes
    : mostBytes[name] ?? mostOutputBytes;
  assert.ok(byteLength(output) <= most, `${byteLength(output)} bytes, the bound is ${most}`);
  assert.ok(result.durationMs < longestMs, `it took ${result.durationMs} ms`);
  assert.doesNotMatch(
    output,
    /\n\s+at .*:\d+:\d+|os error|failed unexpectedly|TypeError|RangeError/,
  );
  if (!isError) return;
  assert.ok(
    failureForms.some((form) => form.test(output)),
    `an unknown form of failure: ${output.slice(0, 300)}`,
  );
}

/** Everything below `folder` that a change would show: names, kinds, sizes, modes, times. */
export function snapshot(folder: string): string {
  return entriesBelow(folder).sort().join("\n");
}

function entriesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`, info = Deno.lstatSync(path);
    const facts = [info.ino, info.size, info.mode, info.mtime?.getTime(), info.ctime?.getTime()];
    const line = `${path} ${facts.join(" ")}`;
    return isDirectory ? [line, ...entriesBelow(path)] : [line];
  });
}

/** Names in `folder` itself. */
export function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Processes that carry `marker` in their environment; undefined where that cannot be seen. */
export function processesWith(marker: string): string[] | undefined {
  if (Deno.build.os !== "linux") return undefined;
  return [...Deno.readDirSync("/proc")].filter(({ name }) => /^\d+$/.test(name)).flatMap(
    ({ name }) => {
      try {
        if (!Deno.readTextFileSync(`/proc/${name}/environ`).includes(marker)) return [];
        if (/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${name}/status`))) return [];
        return [`${name} ${Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ")}`];
      } catch {
        return []; // it has ended, or belongs to somebody else
      }
    },
  );
}
