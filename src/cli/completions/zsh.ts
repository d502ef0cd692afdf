/** The completion script for zsh. */
import { assertNever } from "../../lib/assert_never.ts";
import { betweenSingleQuotes } from "../../lib/shell_word.ts";
import { type Flag, sessionsCommand, type Values } from "./values.ts";

export function zshScript(flags: readonly Flag[]): string {
  return `#compdef nimlet
# Tab completion of nimlet for zsh: eval "$(nimlet --completions zsh)" after compinit, or this text
# as a file _nimlet in a folder of $fpath
_nimlet() {
  _arguments -s -S \\
${flags.map((flag) => `    ${specOf(flag)} \\\n`).join("")}    '*:prompt:_files'
}
_nimlet_sessions() {
  local -a ids
  ids=(\${(f)"$(${sessionsCommand})"})
  compadd -V sessions -a ids
}
if [ "\${funcstack[1]}" = "_nimlet" ]; then
  _nimlet "$@"
else
  compdef _nimlet nimlet
fi
`;
}

function specOf({ long, short, help, placeholder, values }: Flag): string {
  const form = values.kind === "none" ? `--${long}` : `--${long}=`;
  const text = `[${betweenSingleQuotes(help.replace(/[[\]\\:]/g, "\\$&"))}]${
    actionOf(placeholder, values)
  }`;
  return short === undefined
    ? `'${form}${text}'`
    : `'(-${short} --${long})'{-${short},${form}}'${text}'`;
}

function actionOf(placeholder: string, values: Values): string {
  const message = `:${betweenSingleQuotes(placeholder)}:`;
  switch (values.kind) {
    case "none":
      return "";
    case "words":
      return `${message}(${values.words.join(" ")})`;
    case "list":
      return `${message}_values -s , tool ${values.words.join(" ")}`;
    case "files":
      return `${message}_files`;
    case "folders":
      return `${message}_files -/`;
    case "sessions":
      return `${message}_nimlet_sessions`;
    case "text":
      return `${message} `;
    default:
      return assertNever(values);
  }
}
