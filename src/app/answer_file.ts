/** Owns the file of --output: looked at before the run, written after it went well. */
import { resolve } from "node:path";
import { messageOf, RunFailure } from "../core/failure.ts";
import { answerTarget } from "../host/answer_file.ts";

export interface AnswerFile {
  /** With one final newline. Throws `RunFailure("output")`; then the file is what it was. */
  write(answer: string): Promise<void>;
}

/** Throws `RunFailure("usage")` for a place where no file can be. */
export function openAnswerFile(file: string, cwd: string): AnswerFile {
  const path = resolve(cwd, file);
  const target = answerTarget(path);
  if ("problem" in target) throw new RunFailure("usage", `--output: ${path} ${target.problem}`);
  return {
    async write(answer) {
      try {
        await target.write(`${answer.replace(/\n+$/, "")}\n`);
      } catch (error) {
        throw new RunFailure(
          "output",
          `--output: ${path} cannot be written (${messageOf(error)})`,
          { cause: error },
        );
      }
    },
  };
}
