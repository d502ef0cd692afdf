/** What `--doctor` and `/sandbox` say of a sandbox. */
import { relative } from "node:path";
import { isInside } from "../../lib/path_inside.ts";
import { isWithheld } from "./child_environment.ts";
import type { Policy } from "./policy.ts";
import type { PrivateFolders } from "./private_folders.ts";
import { protectionOf } from "./protection.ts";

export interface Facts {
  readonly backend: string;
  readonly socat: string | undefined;
  readonly disablesUsers: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that are handed on all the same. */
  readonly kept: readonly string[];
  readonly recent: readonly string[];
}

/** Name and text of each line; lines that would say nothing are left out. */
export function describeSandbox(
  { workspace, home, mode, readable, read, write, hide }: Policy,
  folders: PrivateFolders,
  { backend, socat, disablesUsers, env, kept, recent }: Facts,
): (readonly [string, string])[] {
  const short = (path: string, folder: string) =>
    isInside(folder, path) ? relative(folder, path) || "." : path;
  const closed = protectionOf(workspace, home, mode === "commit").closed
    .map((path) => short(path, workspace));
  const list = (paths: readonly { readonly at: string }[]) =>
    paths.map(({ at }) => short(at, home)).join(" ");
  const withheld = Object.keys(env).filter((name) => isWithheld(name) && !kept.includes(name));
  const lines: (readonly [string, string])[] = [
    [
      "backend",
      [
        `bubblewrap (${backend})`,
        `seccomp: ${folders.filter === undefined ? "no, the processor is not known" : "yes"}`,
        ...(disablesUsers ? [] : ["older than 0.8: user namespaces are refused by seccomp alone"]),
        ...(socat === undefined ? [] : [`forwarder: ${socat}`]),
      ].join("; "),
    ],
    [
      "workspace",
      mode === "read"
        ? `${workspace} (read)`
        : `${workspace} (write); read-only in it: ${closed.join(" ")}`,
    ],
    ["home", `private, in ${folders.home}`],
    ["shown", list([...readable, ...read])],
    ["written", list(write)],
    ["hidden", hide.join(" ")],
    ["variables not handed on", withheld.join(" ")],
    ["last refusals", recent.join("; ")],
  ];
  return lines.filter(([, text]) => text !== "");
}
