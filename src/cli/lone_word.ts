/** Lone words that are commands of other programs: at a terminal they are refused, not sent. */
import type { Terminal } from "../core/host.ts";
import type { Options } from "./command_line.ts";
import { show, usage } from "./usage_failure.ts";

/** What to do instead, by the word. */
export const loneWords: Readonly<Record<string, string>> = {
  help: "use --help",
  version: "use --version",
  license: "use --licenses",
  licenses: "use --licenses",
  sessions: "use --list-sessions",
  session: "use --list-sessions, or --session ID to continue one",
  list: "use --list-sessions or --list-tools",
  history: "use --list-sessions",
  resume: "use --resume, or --session ID for a certain session",
  continue: "use --continue, or --session ID for a certain session",
  export: "use --export-session ID FILE",
  tools: "use --list-tools",
  mcp: "name servers in config.json, which docs/mcp.md explains; --list-tools lists their tools",
  models: "use --model ID to choose one, or --refresh-models for the table of models",
  config: "use --show-config",
  settings: "use --show-config",
  doctor: "use --doctor",
  status: "use --doctor",
  login: "give the key in a variable or in auth.json, which --doctor names",
  logout: "take the key out of the variable or auth.json, which --doctor names",
  auth: "give the key in a variable or in auth.json, which --doctor names",
  exec: "use -p with the prompt",
  run: "use -p with the prompt",
  chat: "start without words for the console",
  serve: "use --mode rpc",
  schema: "use --schema NAME",
  completion: "use --completions SHELL",
  completions: "use --completions SHELL",
  update: "put the new program in the place of the old one; --version prints which this is",
  upgrade: "put the new program in the place of the old one; --version prints which this is",
  exit: "Ctrl-D leaves the console",
  quit: "Ctrl-D leaves the console",
};

/** Throws `RunFailure("usage")` where a person at a terminal typed one such word, and not after `--`. */
export function refuseLoneWord(
  { words, allText }: Pick<Options, "words" | "allText">,
  stdinKind: Terminal["stdinKind"],
): void {
  if (words.length !== 1 || allText === true || stdinKind !== "terminal") return;
  const word = words[0]!.trim();
  if (!Object.hasOwn(loneWords, word)) return;
  throw usage(
    `${show(word)} is no command here: ${loneWords[word]}; as a prompt: nimlet -- ${word}`,
  );
}
