/** Options and arguments in which programs take a command as text. */
import type { ShellWord } from "./shell_words.ts";

/** Options whose value is run, by program. */
const commandOptions: Record<string, readonly string[]> = {
  compgen: ["-C"],
  flock: ["-c", "--command"],
  man: ["-P", "--pager"],
  mapfile: ["-C"],
  "nix-shell": ["--run", "--command"],
  npm: ["-c", "--call"],
  npx: ["-c", "--call"],
  readarray: ["-C"],
  rsync: ["-e", "--rsh", "--rsync-path"],
  runuser: ["-c", "--command", "--session-command"],
  script: ["-c", "--command"],
  sg: ["-c"],
  sort: ["--compress-program"],
  split: ["--filter"],
  su: ["-c", "--command", "--session-command"],
  tar: [
    "-I",
    "-F",
    "--use-compress-program",
    "--to-command",
    "--rsh-command",
    "--info-script",
    "--new-volume-script",
    "--checkpoint-action",
  ],
  zip: ["-TT", "--unzip-command"],
};

/** The texts that `name` runs because an option says so; empty where there are none. */
export function optionTexts(name: string, args: readonly ShellWord[]): ShellWord[] {
  const options = Object.hasOwn(commandOptions, name) ? commandOptions[name]! : [];
  return args.flatMap((word, index) => {
    for (const option of options) {
      const value = valueIn(word.text, option);
      if (value === undefined) continue;
      const found = value === "" ? args[index + 1] : { ...word, text: value };
      if (found !== undefined) return [{ ...found, text: found.text.replace(/^exec=/, "") }];
    }
    return [];
  });
}

/** The value that is joined to the option in `text`, "" where it is the next word. */
function valueIn(text: string, option: string): string | undefined {
  if (text === option) return "";
  if (option.startsWith("--")) {
    return text.startsWith(`${option}=`) ? text.slice(option.length + 1) : undefined;
  }
  // short options stand together: -lc 'text', -c'text'
  if (option.length > 2 || !/^-[A-Za-z]/.test(text)) return undefined;
  const at = text.indexOf(option[1]!, 1);
  return at < 0 ? undefined : text.slice(at + 1);
}

const editors = new Set(["ex", "less", "man", "more", "nvim", "vi", "view", "vim"]);

/** The commands in `vim -c '!text'`, `less +!text`, `socat EXEC:text`, `sed 'e text'`. */
export function embeddedTexts(name: string, args: readonly ShellWord[]): string[] {
  const pattern = editors.has(name)
    ? /^\+?:?!\s*([^]+)/
    : name === "socat"
    ? /^(?:exec|system|shell):([^,]+)/i
    : name === "sed" || name === "gsed"
    ? /(?:^|[;{}\n])\s*(?:\d+|\$|\/[^/]*\/)?\s*e\s+([^\n]+)|^s\/[^/]*\/([^/]*)\/[gpimI\d]*e/
    : undefined;
  if (pattern === undefined) return [];
  return args.flatMap(({ text }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [found[1] ?? found[2] ?? ""];
  });
}

const interpreters =
  /^(?:[gmn]?awk|perl|ruby|python[\d.]*|node|nodejs|deno|bun|php|lua|tclsh|expect|osascript)$/;

/** Names and signs with which those languages start programs. */
const starts =
  /\b(?:system|exec\w*|popen\w*|spawn\w*|subprocess|child_process|shell_exec|passthru|proc_open|qx|Popen)\b|`|%x|"\s*\|\s*getline|\|\s*"|\bDeno\.Command\b|\bdo shell script\b/;

/** True where `text` is code for `name` that starts programs. */
export function isStartingCode(name: string, text: string): boolean {
  return interpreters.test(name) && starts.test(text);
}
