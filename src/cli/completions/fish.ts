/** The completion script for fish. */
import { assertNever } from "../../lib/assert_never.ts";
import { type Flag, sessionsCommand, type Values } from "./values.ts";

export function fishScript(flags: readonly Flag[]): string {
  return `# Tab completion of nimlet for fish: nimlet --completions fish | source
function __nimlet_sessions
  sh -c ${quoted(sessionsCommand)}
end
function __nimlet_list
  set -l before (commandline -ct | string replace -r '^--[a-z-]+=' '' | string match -r '^.*,')
  for word in $argv
    echo "$before$word"
  end
end
${flags.map((flag) => `${completeLine(flag)}\n`).join("")}`;
}

function completeLine({ long, short, help, values }: Flag): string {
  const forms = short === undefined ? `-l ${long}` : `-s ${short} -l ${long}`;
  return `complete -c nimlet ${forms}${argumentsOf(values)} -d ${quoted(help)}`;
}

function argumentsOf(values: Values): string {
  switch (values.kind) {
    case "none":
      return "";
    case "words":
      return ` -x -a ${quoted(values.words.join(" "))}`;
    case "list":
      return ` -x -a ${quoted(`(__nimlet_list ${values.words.join(" ")})`)}`;
    case "files":
      return " -r -F";
    case "folders":
      return ` -x -a '(__fish_complete_directories)'`;
    case "sessions":
      return ` -x -k -a '(__nimlet_sessions)'`;
    case "text":
      return " -x";
    default:
      return assertNever(values);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
