/** The file of --output: checked before the run, written after it went well. */
import { resolve } from "node:path";
import { messageOf, RunFailure } from "../../core/failure.ts";
import { outputTarget } from "../../host/output_file.ts";
import { withoutEnd } from "../../lib/trim.ts";

export interface OutputFile {
  /**
   * With one final newline. Throws `RunFailure("output")`, and then the file is what it was; rejects with
   * the signal's reason where a pipe is not read in time.
   */
  write(answer: string, signal: AbortSignal): Promise<void>;
}

/** Throws `RunFailure("usage")` for a place where no file can be. */
export function openOutputFile(file: string, cwd: string): OutputFile {
  const path = resolve(cwd, file);
  const target = outputTarget(path);
  if ("problem" in target) throw new RunFailure("usage", `--output: ${path} ${target.problem}`);
  return {
    async write(answer, signal) {
      try {
        await target.write(`${withoutEnd(answer, "\n")}\n`, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw new RunFailure(
          "output",
          `--output: ${path} cannot be written (${messageOf(error)})`,
          { cause: error },
        );
      }
    },
  };
}
