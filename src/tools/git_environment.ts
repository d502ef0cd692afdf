/** Runs git so that nothing runs that a repository or the environment names. */

/**
 * Settings that stand above every configuration file. What they switch off: hooks, helpers that
 * watch or ask, signatures, colours, columns, pagers, files named by the configuration, and the
 * network.
 */
const overrides: Record<string, string> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "",
  "core.pager": "cat",
  "core.askPass": "",
  "core.sshCommand": "false",
  "core.alternateRefsCommand": "false",
  "credential.helper": "",
  "protocol.allow": "never",
  "log.showSignature": "false",
  "gpg.program": "false",
  "gpg.ssh.program": "false",
  "gpg.x509.program": "false",
  "submodule.recurse": "false",
  "status.submoduleSummary": "false",
  "status.relativePaths": "true",
  "diff.autoRefreshIndex": "false",
  "diff.orderFile": "/dev/null",
  "blame.coloring": "none",
  "mailmap.file": "",
  "mailmap.blob": "",
  "color.ui": "false",
  "color.status": "false",
  "color.diff": "false",
  "column.ui": "never",
  "column.status": "never",
  "i18n.logOutputEncoding": "UTF-8",
};

/** Arguments before the subcommand; `filters` are names of filter drivers to switch off. */
export function globalArguments(
  filters: Iterable<string>,
  options: { quotePath: boolean },
): string[] {
  const settings = [
    ...Object.entries(overrides),
    ["core.quotePath", String(options.quotePath)],
    ...[...filters].flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.smudge`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  ];
  return [
    "--no-pager",
    "--no-optional-locks",
    "--literal-pathspecs",
    ...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]),
  ];
}

/**
 * The environment of git: none of its variables but these; `top` is the work tree. With `gitFolder` git
 * does not look for the repository itself.
 */
export function gitEnvironment(
  env: Record<string, string>,
  top: string,
  gitFolder: string | undefined,
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !/^(?:GIT_|LC_|LANG|SSH_ASKPASS)/.test(name));
  return {
    ...Object.fromEntries(kept),
    // above `core.worktree`, which may name any folder of the machine
    GIT_WORK_TREE: top,
    ...(gitFolder === undefined ? {} : { GIT_DIR: gitFolder }),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_TRACE2: "0",
    GIT_TRACE2_EVENT: "0",
    GIT_TRACE2_PERF: "0",
    LC_ALL: "C",
  };
}

export interface GitSetting {
  /** Section and name in lower case, the part between them as written. */
  readonly key: string;
  readonly value: string;
}

/** The settings in what `git config --list --null` prints. */
export function parseSettings(listing: string): GitSetting[] {
  return listing.split("\0").filter((entry) => entry !== "").map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0
      ? { key: entry, value: "true" }
      : { key: entry.slice(0, end), value: entry.slice(end + 1) };
  });
}

/** Names of the filter drivers that `settings` speak of. */
export function filterNames(settings: readonly GitSetting[]): string[] {
  const found = settings.map(({ key }) => /^filter\.([^]+)\.[^.]+$/.exec(key)?.[1]);
  return [...new Set(found.filter((name) => name !== undefined))];
}
