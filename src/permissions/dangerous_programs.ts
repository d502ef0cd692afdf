/** The programs that need approval every time, and the search for their names in plain text. */

const dangerousPrograms = [
  "rm",
  "sudo",
  "curl",
  "wget",
  "ssh",
  "scp",
  "chmod",
  "chown",
  "kill",
  "pkill",
  "dd",
  "mkfs",
  "shutdown",
  "reboot",
] as const;

export const dangerousGitCommands = ["reset", "clean", "restore"] as const;

/** The program on the list that a command name means: `/bin/rm`, `mkfs.ext4`; else undefined. */
export function dangerousProgram(name: string): string | undefined {
  const base = baseName(name).replace(/^mkfs\..*$/, "mkfs");
  return dangerousPrograms.find((program) => program === base);
}

/** The last part of a path, as the name of a program: in lower case, without `.exe`. */
export function baseName(name: string): string {
  return name.slice(name.search(/[^/\\]*$/)).toLowerCase().replace(/\.exe$/, "");
}

/** The program on the list that a file name pattern such as `/bin/r?` can stand for. */
export function dangerousMatch(pattern: string): string | undefined {
  const base = pattern.slice(pattern.lastIndexOf("/") + 1);
  if (!/[*?[]/.test(base)) return undefined;
  const source = base.replace(/\[[!^]?[^\]]*\]|\*+|[^]/g, (part) => {
    if (part.startsWith("*")) return ".*";
    if (part === "?" || part.length > 1) return ".";
    return part.replace(/[\\^$.|+(){}[\]]/g, "\\$&");
  });
  const expression = new RegExp(`^${source}$`, "i");
  return dangerousPrograms.find((program) => expression.test(program));
}

/**
 * The first word of the list anywhere in a text that could not be judged by its structure: as
 * written, without its quotes, and without expansions that may come to nothing.
 */
export function dangerousWord(text: string): string | undefined {
  const unquoted = text.replace(/\\\n/g, "").replace(/\\x([0-9a-f]{1,2})/gi, hexCharacter)
    .replace(/\\0?([0-7]{3})/g, octalCharacter)
    .replace(/['"\\]/g, "");
  const bare = unquoted.replace(
    /\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|\$(?:[A-Za-z_]\w*|[@*#?!$\d-])/g,
    "",
  );
  for (const version of [text, unquoted, bare]) {
    const word = programWord.exec(version) ?? gitWord.exec(version);
    if (word !== null) return word[0].replace(/\s+/g, " ");
  }
  return undefined;
}

// A hyphen in front makes an option (--rm) or another name, one behind it too (ssh-keygen), and a
// point a file's (rm.txt).
const before = "(?<!\\w)(?<!(?:^|[\\s\\w-])-)";
const programWord = new RegExp(
  `${before}(?:mkfs\\.\\w+|(?:${dangerousPrograms.join("|")})(?![\\w-]|\\.\\w))`,
);
const gitWord = new RegExp(
  `${before}git\\b[^\\n;|&]*?${before}` +
    `(?:${dangerousGitCommands.join("|")}|checkout\\s+(?:[^;|&\\n]*\\s)?--(?!\\S))`,
);

function hexCharacter(_: string, digits: string): string {
  return String.fromCharCode(parseInt(digits, 16));
}

function octalCharacter(_: string, digits: string): string {
  return String.fromCharCode(parseInt(digits, 8) & 0xff);
}
