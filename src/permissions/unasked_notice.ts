/** Says once that a command of the list ran where nobody could be asked. */
import { oneLine } from "../lib/one_line.ts";
import type { JudgeCommand } from "./judge.ts";

const maxCommandChars = 80;

/** What is called before each command that runs unasked. Most of them cost no look by the parser. */
export function unaskedNotice(
  judge: JudgeCommand,
  notice: (sentence: string) => void,
): (command: string) => Promise<void> {
  let isSaid = false;
  return async (command) => {
    if (isSaid) return;
    const { namesListed } = await import("./listed_names.ts");
    if (!namesListed(command)) return;
    const judgement = await judge(command);
    if (judgement.kind !== "listed" || isSaid) return;
    isSaid = true;
    notice(
      `bash ${judgement.reason} without approval, as nobody can be asked in this mode: ${
        oneLine(command, maxCommandChars)
      } (reported once; --sandbox workspace, --ask deny, --plan and --tools bound what runs)`,
    );
  };
}
