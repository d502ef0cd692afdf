/** The part of a person's git settings that a sandbox's home begins with: who commits, and what is trusted. */
import { join } from "node:path";
import { textAt } from "../git_repository.ts";

const sections = /^\s*\[\s*(user|safe|init)\s*\]\s*$/i;

/** The text of a `.gitconfig` with those sections alone; none of them can make git run anything. */
export function gitSettingsOf(home: string): string {
  let wanted = false;
  return [join(home, ".config", "git", "config"), join(home, ".gitconfig")]
    .flatMap((path) => (textAt(path) ?? "").split("\n"))
    .filter((line) => {
      if (/^\s*\[/.test(line)) wanted = sections.test(line);
      return wanted;
    })
    .map((line) => `${line}\n`).join("");
}
