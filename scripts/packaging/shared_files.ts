/** Files that go to `share` beside the folder of the program: the man page, completions. */
import { completions } from "../../src/cli/completions/completions.ts";
import { manPage } from "./man_page.ts";
import { releaseDate } from "./release_date.ts";

export const manPath = "share/man/man1/nimlet.1";

/** Texts by their paths; `changes` is the change log. */
export function sharedFiles(version: string, changes: string): Map<string, string> {
  return new Map([
    [manPath, manPage(version, releaseDate(changes, version))],
    ["share/bash-completion/completions/nimlet", completions("bash")],
    ["share/zsh/site-functions/_nimlet", completions("zsh")],
    ["share/fish/vendor_completions.d/nimlet.fish", completions("fish")],
  ]);
}
