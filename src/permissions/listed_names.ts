/** Finds names that need approval every time: in text, and in words that may come to one of them. */
import { gitCommands, programs } from "./programs.ts";
import { type ShellWord, unescaped, unknown } from "../lib/shell_words.ts";

// A hyphen in front makes another name or option (`--rm`), but `-Orm` may be `-O rm`, and `1erm` is
// sed's `1e rm`. A hyphen or extension after it makes another name, too (`ssh-keygen`, `rm.txt`).
const before = String.raw`(?:(?<![\w-])(?:-\w)?|[\d$/,!}]e)`,
  after = String.raw`(?![\w-]|\.(?!exe)\w)`;
const git = /(?<![\w-])git(?!\w)/i;

interface Listed {
  readonly programs: readonly string[];
  /** For the names anywhere in a text, and for those of git's commands. */
  readonly names: RegExp;
  readonly gitName: RegExp;
}
let made: Listed | undefined;

function listed(): Listed {
  if (made !== undefined) return made;
  const inGit = gitCommands.listed().join("|"), ofPrograms = programs.listed();
  const names = `${before}(?:${ofPrograms.join("|")}|mkfs\\.\\w+)${after}` +
    String.raw`|(?<!\w)git-(?:${inGit})(?!\w)|(?<![\w-])-delete(?![\w-])`;
  const gitName = `(?<![\\w-])(?:${inGit})(?!\\w)`;
  return made = {
    programs: ofPrograms,
    names: new RegExp(names, "i"),
    gitName: new RegExp(gitName, "i"),
  };
}

const checkout = /(?<![\w-])checkout(?![\w-])/i, dashes = /(?<![\w-])--(?![\w-])/;
const variable = /\$\{\w+\}|\$(?:[A-Za-z_]\w*|[\d@*#?!$-])/g;
const expansion = /\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$(?:[A-Za-z_]\w*|[\d@*#?!$-])/g;

/** True where a listed name occurs in a text: as it is, without quotes, or with its escapes read. */
export function namesListed(text: string): boolean {
  const { names, gitName } = listed();
  return readings(text).some((one) =>
    names.test(one) ||
    git.test(one) && (gitName.test(one) || checkout.test(one) && dashes.test(one))
  );
}

function readings(text: string): string[] {
  const joined = text.replace(/\\\n/g, "");
  const opened = joined.replace(expansion, unknown).replace(expansion, unknown);
  const bare = [joined, joined.replace(variable, ""), opened, opened.replaceAll(unknown, "")];
  return [
    ...bare.map((one) => one.replace(/['"\\]/g, "")),
    ...[text, text.replace(/\\[a-z]/gi, " "), unescaped(opened.replace(/['"]/g, ""))],
  ];
}

/** True where the shell, or another that reads the word, may make a listed name of it. */
export function mayBecomeListed({ text }: ShellWord): boolean {
  if (!/[\0*?[{$`]/.test(text)) return false;
  const tokens = readings(text).flatMap((one) =>
    one.replace(/\{[^{}]*\}/g, unknown).split(/[\s;|&()<>=]+/)
  );
  return tokens.map((one) => one.slice(one.lastIndexOf("/") + 1)).some((base) => {
    const letters = base.replace(/\[[^\]]*\]|[^a-z]/gi, "");
    // What a variable or a pattern alone comes to is not made here, or stands in the text itself.
    if (!/[\0*?[]/.test(base) || letters === "" && !base.includes(unknown + unknown)) return false;
    const source = base.replace(/\[[!^]?\]?[^\]]*\]|[*\0]+|[^]/g, (part) => {
      if (/^[*\0]/.test(part)) return ".*";
      return part === "?" || part.length > 1 ? "." : part.replace(/\W/, "\\$&");
    });
    return [...listed().programs, "git"].some((name) => new RegExp(`^${source}$`, "i").test(name));
  });
}
