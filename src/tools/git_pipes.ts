/** Finds the pipes and devices that git would wait for, as it opens them like files. */
import { dirname, join, relative } from "node:path";
import { ToolFailure } from "../core/failure.ts";

import { factsOf } from "../host/folders.ts";
import { shownPath } from "../lib/shown_path.ts";

/** What git reads in the folders of a work tree, and in that of the repository. */
const inWorkTree = [".gitignore", ".gitattributes", ".mailmap"];
const inGitFolder = [
  ...["HEAD", "index", "config", "config.worktree", "packed-refs", "shallow", "commondir"],
  ...["info/exclude", "info/attributes", "info/grafts", "objects/info/alternates"],
];

/** Throws `ToolFailure` where such a file, in the usual places, is no file. */
export function refusePipes(
  place: { readonly top: string; readonly folder: string; readonly gitFolder: string },
): void {
  const { top, folder, gitFolder } = place;
  for (const path of candidates(top, folder, gitFolder)) {
    const facts = factsOf(path);
    if (facts.kind !== "other") continue;
    const shown = shownPath(relative(folder, path) || path);
    throw new ToolFailure(
      "git_failed",
      `git would wait for ${shown}: it is ${facts.what}, not a file`,
    );
  }
}

function* candidates(top: string, folder: string, gitFolder: string): Generator<string> {
  for (const name of inGitFolder) yield join(gitFolder, name);
  for (let at = folder;; at = dirname(at)) {
    for (const name of inWorkTree) yield join(at, name);
    if (at === top || at === dirname(at)) return;
  }
}

/** For a git that did nothing any more: it waits for one further inside. */
export function waitsSomewhere(seconds: number): ToolFailure {
  return new ToolFailure(
    "git_failed",
    `git was ended, as it did nothing for ${seconds} s: something that it reads is no file; ` +
      "look for pipes and devices with: find . -type p -o -type c",
  );
}
