/** Finds out whether this machine lets the sandbox work, and says in one sentence why not. */
import { join } from "node:path";
import type { Host, ProcessResult } from "../../core/host.ts";
import { RunFailure } from "../../core/failure.ts";
import { findProgram } from "../find_program.ts";
import { factsOf } from "../folders.ts";
import { readStateFile } from "../state_files.ts";

/** The failure for a sandbox that cannot be had; `reason` says why and what to do. */
export function noSandbox(reason: string): RunFailure {
  return new RunFailure("config", `the sandbox was asked for and cannot be had: ${reason}`);
}

/** The path of bwrap. Throws `RunFailure` where files alone show that there is no sandbox. */
export function findBackend(
  host: Pick<Host, "env" | "platform">,
  workspace: string,
  writes: boolean,
  version = textOf("/proc/version"),
): string {
  if (host.platform === "darwin") throw noSandbox("it is not supported on macOS yet");
  if (host.platform === "windows") throw noSandbox("Windows has no sandbox; use WSL2");
  if (/microsoft/i.test(version) && !/WSL2|microsoft-standard/i.test(version)) {
    throw noSandbox("WSL1 has no sandbox; use WSL2");
  }
  const found = findProgram(host, "bwrap", workspace);
  if (found === undefined) {
    throw noSandbox("bubblewrap is not installed (apt install bubblewrap)");
  }
  const facts = factsOf(workspace);
  const owner = "uid" in facts ? facts.uid : undefined;
  if (writes && Deno.uid() === 0 && owner !== undefined && owner !== 0) {
    throw noSandbox(`root has no power over files of uid ${owner} inside; run as that user`);
  }
  return found;
}

/** What the first failing start means; `said` is what bwrap wrote to stderr. */
export function reasonOf(
  { exitCode, stderr }: Pick<ProcessResult, "exitCode" | "stderr">,
  isInside: boolean,
): string {
  const said = stderr.text.trim();
  if (isInside && /namespace|uid map/.test(said)) return "nimlet runs inside a sandbox already";
  const restricted = textOf("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1";
  if (restricted && /uid map|RTM_NEWADDR/.test(said)) {
    return "Ubuntu refuses user namespaces to bwrap; load the profile bwrap-userns-restrict";
  }
  if (/No space left on device|ENOSPC|nesting depth/.test(said)) {
    return "user.max_user_namespaces is 0, or nimlet runs inside a sandbox already";
  }
  if (/No permissions to creat|Creating new namespace failed: (Operation not|Perm)/.test(said)) {
    return "this container refuses user namespaces: start it with seccomp=unconfined, or take the " +
      "container for the sandbox (--sandbox off)";
  }
  if (/uid map: Operation not permitted/.test(said)) {
    return Deno.uid() === 0
      ? "root lacks CAP_SETFCAP here; run as another user"
      : "the system refuses user namespaces to bwrap";
  }
  if (/Can't mount proc/.test(said)) {
    return "/proc is masked (docker: systempaths=unconfined, podman: unmask=ALL)";
  }
  if (/Unknown option/.test(said)) return "bubblewrap is older than 0.5";
  const [line = ""] = said.split("\n").slice(-1);
  return `bwrap failed with status ${exitCode}${line === "" ? "" : ` (${line.slice(0, 300)})`}`;
}

/** True where a name in `folder` means the same in capitals: then no cover of `.git` covers `.GIT`. */
export function ignoresCase(folder: string, name: string): boolean {
  try {
    const own = Deno.lstatSync(join(folder, name));
    const other = Deno.lstatSync(join(folder, name.toUpperCase()));
    return own.dev === other.dev && own.ino === other.ino;
  } catch {
    return false;
  }
}

/** True where a bwrap without `--disable-userns` was asked for it: older than 0.8. */
export function lacksOption({ stderr }: Pick<ProcessResult, "stderr">, option: string): boolean {
  return /Unknown option/.test(stderr.text) && stderr.text.includes(option);
}

function textOf(path: string): string {
  const file = readStateFile(path, 4096);
  return file.kind === "text" ? file.text.trim() : "";
}
