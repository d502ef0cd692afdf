import assert from "node:assert/strict";
import { chooseFront, type FrontKind, mayHavePrompt } from "../../src/cli/front_choice.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { RunFailure } from "../../src/core/failure.ts";
import type { Terminal } from "../../src/core/host.ts";

function choose(
  args: string,
  stdinKind: Terminal["stdinKind"],
  stdout: "terminal" | "elsewhere",
): FrontKind | "refused" {
  const options = parseCommandLine(args.split(" ").filter((arg) => arg !== ""));
  try {
    return chooseFront(options, {
      stdinKind,
      stdoutIsTerminal: stdout === "terminal",
      hasPrompt: mayHavePrompt(options, stdinKind),
    });
  } catch (error) {
    assert(error instanceof RunFailure);
    assert.equal(error.code, "usage");
    return "refused";
  }
}

const cases: [string, Terminal["stdinKind"], "terminal" | "elsewhere", FrontKind | "refused"][] = [
  ["--mode json hi", "terminal", "terminal", "json"],
  ["--mode json -p", "pipe", "elsewhere", "json"],
  ["--mode rpc", "pipe", "elsewhere", "rpc"],
  ["-p hi", "terminal", "terminal", "print"],
  ["-p", "pipe", "terminal", "print"],
  ["", "pipe", "elsewhere", "print"],
  ["hi", "file", "elsewhere", "print"],
  ["--no-stdin hi", "pipe", "elsewhere", "once"],
  ["hi", "null", "elsewhere", "once"],
  ["hi", "closed", "elsewhere", "once"],
  ["hi", "terminal", "elsewhere", "once"],
  ["hi", "terminal", "terminal", "once"],
  ["hi", "pipe", "terminal", "once"],
  ["", "pipe", "terminal", "once"],
  ["", "terminal", "terminal", "loop"],
  ["-i hi", "terminal", "terminal", "loop"],
  ["-i", "pipe", "terminal", "refused"],
  ["-i hi", "terminal", "elsewhere", "refused"],
  ["", "terminal", "elsewhere", "refused"],
  ["", "null", "terminal", "refused"],
  ["", "closed", "elsewhere", "refused"],
  ["--no-stdin", "pipe", "elsewhere", "refused"],
];

for (const [args, stdin, stdout, front] of cases) {
  Deno.test(`nimlet ${args || "alone"}, stdin ${stdin}, stdout ${stdout}: ${front}`, () => {
    assert.equal(choose(args, stdin, stdout), front);
  });
}
