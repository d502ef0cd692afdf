/** Makes the judge of shell commands, whose parser is loaded with the first one. */
import type { ParseShell } from "../lib/shell_parser.ts";
import { openShellParser } from "../host/shell_parser.ts";
import type { Judgement } from "./judgement.ts";

export type JudgeCommand = (command: string) => Promise<Judgement>;

/** Without a parser nothing is understood. */
export function commandJudge(): JudgeCommand {
  let parser: Promise<ParseShell | undefined> | undefined;
  return async (command) => {
    parser ??= openShellParser();
    const parse = await parser ?? (() => undefined);
    const { judgeCommand } = await import("./judgement.ts");
    return judgeCommand(command, parse);
  };
}
