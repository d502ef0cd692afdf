/** Files that go to `share` beside the folder of the program: the man page, completions. */
import { completions } from "../../src/cli/completions/completions.ts";
import { manPage } from "./man_page.ts";

/** Texts by their paths. */
export function sharedFiles(version: string): Map<string, string> {
  return new Map([
    ["share/man/man1/nimlet.1", manPage(version)],
    ["share/bash-completion/completions/nimlet", completions("bash")],
    ["share/zsh/site-functions/_nimlet", completions("zsh")],
    ["share/fish/vendor_completions.d/nimlet.fish", completions("fish")],
  ]);
}
