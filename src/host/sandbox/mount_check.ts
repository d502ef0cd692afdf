/** Looks from inside whether folders that others could swap for links are mounted from where they should be. */

/**
 * Goes through the kernel's list: what is mounted at each place must be what the folder above shows there,
 * or what was mounted there before, as a disk of its own. Fields have no spaces, and are compared as they
 * stand.
 */
const script = [
  "n=$1; shift; declare -A want=() top=()",
  'for ((; n > 0; n--)); do want["$1"]=1; shift; done',
  "while read -r _ _ dev root at _; do",
  '  if [[ ${want["$at"]} ]]; then',
  '    a=$at e=${top["$at"]}',
  '    while [[ ! $e && $a ]]; do a=${a%/*}; e=${top["${a:-/}"]}; e=${e:+${e%/}${at#"$a"}}; done',
  '    [[ "$dev $root" != "$e" ]] || want["$at"]=',
  "  fi",
  '  top["$at"]="$dev $root"',
  'done <"$0"',
  'for at in "${!want[@]}"; do',
  '  [[ ${want["$at"]} ]] || continue',
  '  echo "nimlet\'s sandbox: $at was moved while the command started; run it again" >&2; exit 125',
  "done",
  'exec "$@"',
].join("\n");

/** `command`, behind the look; `list` is another one for tests. */
export function withMountCheck(
  shell: string,
  places: readonly string[],
  command: readonly string[],
  list = "/proc/self/mountinfo",
): string[] {
  const named = [...new Set(places)].map(escaped);
  return [shell, "-p", "-c", script, list, String(named.length), ...named, ...command];
}

/** As the kernel writes a path. */
function escaped(path: string): string {
  return path.replace(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}
