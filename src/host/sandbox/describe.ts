/** What `--doctor` and `/sandbox` say of a sandbox. */
import { relative } from "node:path";
import { isInside } from "../../lib/path_inside.ts";
import type { Policy } from "./policy.ts";
import type { PrivateFolders } from "./private_folders.ts";
import { protectionOf } from "./protection.ts";

export function describeSandbox(
  policy: Policy,
  folders: PrivateFolders,
  { backend, disablesUsers }: { backend: string; disablesUsers: boolean },
): (readonly [string, string])[] {
  const { workspace, home, mode } = policy;
  const short = (path: string, folder: string) =>
    isInside(folder, path) ? relative(folder, path) || "." : path;
  const filter = folders.filter === undefined ? "no, as the processor is not known" : "yes";
  const closed = protectionOf(workspace, home, mode === "commit").closed
    .map((path) => short(path, workspace));
  const shown = [...policy.readable, ...policy.read].map(({ at }) => short(at, home));
  return [
    [
      "backend",
      `bubblewrap, ${backend}; seccomp: ${filter}; nested: ${disablesUsers ? "no" : "by seccomp"}`,
    ],
    [
      "workspace",
      mode === "read"
        ? `${workspace} (read)`
        : `${workspace} (write); read-only in it: ${closed.join(" ")}`,
    ],
    ["home", `private, in ${folders.home}; shown: ${shown.join(" ") || "nothing"}`],
    ...(policy.write.length === 0
      ? []
      : [["written", policy.write.map(({ at }) => at).join(" ")] as const]),
    ...(policy.hide.length === 0 ? [] : [["hidden", policy.hide.join(" ")] as const]),
  ];
}
