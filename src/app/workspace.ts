/** Chooses the workspace. */
import { resolve } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import { factsOf, resolveLinks } from "../host/folders.ts";

/** The real path of the folder that the run works in. Throws `RunFailure("usage")` where it is none. */
export function openWorkspace(cwd: string | undefined, host: Host): string {
  const path = cwd === undefined ? host.env.cwd : resolve(host.env.cwd, cwd);
  const facts = factsOf(path);
  if (facts.kind === "folder") {
    const real = resolveLinks(path);
    if (real.kind === "real") return real.path;
  }
  const found = facts.kind === "missing"
    ? "is not there"
    : facts.kind === "unreadable"
    ? facts.reason
    : facts.kind === "folder"
    ? "cannot be followed"
    : `is ${facts.what}`;
  const wanted = cwd === undefined ? "expected a workspace" : "--cwd: expected a folder";
  throw new RunFailure("usage", `${wanted}, but ${path} ${found}`);
}
