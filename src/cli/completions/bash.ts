/** The completion script for bash, 3.2 and later, without the bash-completion package. */
import { assertNever } from "../../lib/assert_never.ts";
import { type Flag, sessionsCommand, type Values } from "./values.ts";

export function bashScript(flags: readonly Flag[]): string {
  const names = flags.flatMap(({ long, short }) =>
    short === undefined ? [`--${long}`] : [`-${short}`, `--${long}`]
  );
  const cases = flags.filter(({ values }) => values.kind !== "none").map(({ long, values }) =>
    `    --${long}) ${answerOf(values)}; return ;;`
  );
  return `# Tab completion of nimlet for bash: eval "$(nimlet --completions bash)"
_nimlet() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" i
  [ "$COMP_CWORD" -gt 0 ] && prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # bash takes --flag=value for three words
  if [ "$cur" = "=" ]; then
    cur=""
  elif [ "$prev" = "=" ] && [ "$COMP_CWORD" -gt 1 ]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "\${COMP_WORDS[i]}" = "--" ] && { _nimlet_files -f; return; }
  done
  case "$prev" in
${cases.join("\n")}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "${names.join(" ")}" -- "$cur")) ;;
    *) _nimlet_files -f ;;
  esac
}
_nimlet_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_nimlet_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_nimlet_list() {
  local before=""
  case "$cur" in *,*) before="\${cur%,*},"; cur="\${cur##*,}" ;; esac
  compopt -o nospace 2>/dev/null
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "$cur"))
}
complete -F _nimlet nimlet
`;
}

function answerOf(values: Values): string {
  switch (values.kind) {
    case "words":
      return `_nimlet_words "${values.words.join(" ")}"`;
    case "list":
      return `_nimlet_list "${values.words.join(" ")}"`;
    case "files":
      return "_nimlet_files -f";
    case "folders":
      return "_nimlet_files -d";
    case "sessions":
      return `_nimlet_words "$(${sessionsCommand})"`;
    case "none":
    case "text":
      return ":";
    default:
      return assertNever(values);
  }
}
