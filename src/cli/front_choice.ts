/** Chooses the front end of a run. */
import { RunFailure } from "../core/failure.ts";
import type { Terminal } from "../core/host.ts";
import type { Options } from "./command_line.ts";

/** once: one turn in console form, then exit · loop: the console loop */
export type FrontKind = "json" | "result" | "rpc" | "print" | "once" | "loop";

export interface FrontCircumstances {
  readonly stdinKind: Terminal["stdinKind"];
  readonly stdoutIsTerminal: boolean;
  /** Words were given, or stdin may bring some (`mayHavePrompt`). */
  readonly hasPrompt: boolean;
}

/** The front end that runs. Throws `RunFailure("usage")` where there is nothing to run. */
export function chooseFront(options: Options, around: FrontCircumstances): FrontKind {
  if (options.mode !== undefined) return options.mode;
  if (options.print) return "print";
  const piped = bringsText(options, around.stdinKind);
  const onTerminal = around.stdinKind === "terminal" && around.stdoutIsTerminal;
  if (options.interactive) {
    if (onTerminal) return "loop";
    throw new RunFailure(
      "usage",
      `-i needs a terminal on stdin and stdout, found ${
        around.stdinKind === "terminal" ? "stdout elsewhere" : `stdin: ${around.stdinKind}`
      }; use -p for scripts, or see nimlet --help`,
    );
  }
  if (piped && !around.stdoutIsTerminal) return "print";
  if (around.hasPrompt) return "once";
  if (onTerminal) return "loop";
  throw noPrompt();
}

/** True where a prompt is given or stdin may bring one: what `hasPrompt` wants to know. */
export function mayHavePrompt(options: Options, stdinKind: Terminal["stdinKind"]): boolean {
  return options.words.some((word) => word.trim() !== "") || bringsText(options, stdinKind);
}

/** Stdin that is read for the prompt: a pipe, socket or file, unless --no-stdin. */
export function bringsText(options: Options, stdinKind: Terminal["stdinKind"]): boolean {
  return !options.noStdin && (stdinKind === "pipe" || stdinKind === "file");
}

export function noPrompt(): RunFailure {
  return new RunFailure(
    "usage",
    "no prompt: expected prompt words or text on stdin, found neither; see nimlet --help",
  );
}
