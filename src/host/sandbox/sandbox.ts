/** The sandbox over bwrap: made once for the settings in effect, then wraps each command line. */
import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/failure.ts";
import { type Host, ProcessStartError } from "../../core/host.ts";
import type { CommandLine, ProgramEnd, Sandbox, SandboxWish } from "../../core/sandbox.ts";
import { explainRefusal } from "../../core/sandbox_refusals.ts";
import { isInside } from "../../lib/path_inside.ts";
import { atEnd } from "../at_end.ts";
import { findProgram } from "../find_program.ts";
import { kindAt, realOf } from "../folders.ts";
import { ownFolderOf } from "../same_place.ts";
import { detectShell } from "../shell.ts";
import {
  bareStateOf,
  changesOf,
  deviceModes,
  makesBare,
  putBackModes,
  stateOf,
} from "./aftermath.ts";
import { policyWords, rootWords } from "./bwrap_words.ts";
import { withMountCheck } from "./mount_check.ts";
import { innerEnvironment } from "./child_environment.ts";
import { describeSandbox } from "./describe.ts";
import { withForwarder } from "./forwarder.ts";
import { gitSettingsOf } from "./git_settings.ts";
import { assertFree, policyOf } from "./policy.ts";
import { openPrivateFolders, type PrivateFolders } from "./private_folders.ts";
import { findBackend, ignoresCase, lacksOption, noSandbox, reasonOf } from "./probe.ts";
import { protectionOf } from "./protection.ts";
import { seccompFilter } from "./seccomp.ts";

/** Closes every descriptor that was inherited, and gives bwrap the filter. */
const front =
  'for f in /proc/self/fd/*; do f=${f##*/}; [ "$f" -gt 2 ] && eval "exec $f>&-"; done; exec "$@"';
const filteredFront = front.replace('exec "$@"', 'exec "$@" 9<"$0"');

export interface SandboxPlaces {
  /** Real path. */
  readonly workspace: string;
  /** nimlet's own folder; undefined without a home. */
  readonly nimletHome: string | undefined;
}

/**
 * Makes the sandbox, and begins to try it: `ready` gives the result. Throws `RunFailure("config")` for
 * what can be seen at once.
 */
export async function openSandbox(
  wish: SandboxWish,
  { workspace, nimletHome }: SandboxPlaces,
  host: Host,
): Promise<Sandbox> {
  if (host.env.home === undefined || nimletHome === undefined) {
    throw noSandbox("there is no home folder; set HOME");
  }
  const own = ownFolderOf({ workspace, nimletHome }) ?? nimletHome;
  const places = { workspace, home: realOf(host.env.home), nimletHome: own };
  const policy = policyOf(wish, places, host.env);
  const backend = findBackend(host, workspace, wish.mode !== "read");
  const shell = await detectShell(host);
  if (shell.kind !== "bash") throw noSandbox("bash is not installed");
  const forwarder = typeof policy.net === "string"
    ? undefined
    : findProgram(host, "socat", workspace);
  if (typeof policy.net !== "string" && forwarder === undefined) {
    throw noSandbox("socat is not installed, which a list of hosts needs (apt install socat)");
  }
  const base = join(own, "sandbox", hash("sha256", workspace).slice(0, 16));
  const folders = foldersAt(base, places.home);
  atEnd(folders.close);
  const root = rootWords(policy, folders);
  const commits = policy.mode === "commit";
  const bare = bareStateOf(workspace), modes = deviceModes();
  if (policy.write.length > 0) {
    assertFree(policy, protectionOf(workspace, places.home, commits).closed);
  }
  const socat = forwarder === undefined ? undefined : realOf(forwarder);
  /** What the proxy did not let through. */
  const refused: string[] = [];
  if (typeof policy.net !== "string") {
    const { openProxy } = await import("./proxy.ts");
    const proxy = openProxy({
      path: folders.socket,
      hosts: policy.net,
      refused(target, reason) {
        if (refused.length < mostRefusals) refused.push(`${target} ${reason}`);
      },
    });
    atEnd(proxy.close);
  }
  /** The last refusals, for whoever asks. */
  const recent: string[] = [];
  let disablesUsers = true;
  let notify = (_sentence: string) => {};
  const isHidden = (path: string) =>
    isPrivate(path) && kindAt(path) !== "missing" &&
    ![workspace, ...policy.readable.map(({ at }) => at), ...policy.read.map(({ at }) => at)]
      .some((shown) => isInside(shown, path));
  const isPrivate = (path: string) =>
    [places.home, "/tmp", "/var/tmp"].some((folder) => isInside(folder, path));

  function wrap(line: CommandLine, read: readonly string[] = [], keep: readonly string[] = []) {
    const protection = protectionOf(workspace, places.home, commits);
    const { env, later } = innerEnvironment(line.env, {
      mode: policy.mode,
      net: policy.net,
      home: places.home,
      kept: [...wish.env, ...keep],
    });
    const { words: own, swappable } = policyWords(
      policy,
      folders,
      protection,
      [...read, ...shellFolders],
      line.cwd,
    );
    const command = [line.file, ...line.args];
    const behind = socat === undefined ? command : withForwarder(shell.path, socat, command);
    const words = [
      backend,
      ...(folders.filter === undefined ? [] : ["--seccomp", "9"]),
      ...(disablesUsers ? ["--disable-userns"] : []),
      ...root,
      ...own,
      ...later.flatMap(([name, value]) => ["--setenv", name, value]),
      "--",
      ...(swappable.length === 0 ? behind : withMountCheck(shell.path, swappable, behind)),
    ];
    const heard = refused.length;
    const before = policy.mode === "read" ? undefined : stateOf(protection, workspace, bare);
    return {
      file: shell.path,
      args: [
        // ignores what the environment has for a shell
        "-p",
        "-c",
        folders.filter === undefined ? front : filteredFront,
        folders.filter ?? shell.path,
        ...words,
      ],
      cwd: line.cwd,
      env: protection.isCovered && policy.mode !== "read" ? withoutGoStamps(env) : env,
      finish(end?: ProgramEnd) {
        const notices = [
          ...before === undefined ? [] : changesOf(before),
          ...putBackModes(modes),
          ...new Set(refused.slice(heard)),
        ];
        for (const notice of notices) notify(`sandbox: ${notice}`);
        const { mode, net, home } = policy;
        const lines = end === undefined || end.exitCode === 0
          ? notices
          : [...notices, ...explainRefusal(end.output, { mode, net, home, isHidden })];
        recent.push(...lines);
        recent.splice(0, recent.length - mostRecent);
        return lines;
      },
    };
  }

  const shellFolders = [shell.path, ...socat === undefined ? [] : [socat]]
    .map((path) => dirname(realOf(path)))
    .filter((folder) => isInside(places.home, folder) || isInside("/tmp", folder));

  async function probe(): Promise<void> {
    const signal = new AbortController().signal;
    const line = { file: shell.path, args: ["-p", "-c", ":"], cwd: workspace, env: host.env.all() };
    const once = () =>
      host.processes.run(
        { ...wrap(line), maxOutputBytes: 4096, timeoutMs: probeTimeoutMs },
        signal,
      );
    try {
      let result = await once();
      if (lacksOption(result, "--disable-userns")) {
        disablesUsers = false;
        result = await once();
      }
      if (result.exitCode !== 0) {
        throw noSandbox(reasonOf(result, host.env.get("NIMLET_SANDBOX") !== undefined));
      }
      if (policy.mode !== "read" && ignoresCase(workspace, ".nimlet")) {
        throw noSandbox(
          `names in ${workspace} mean the same in capitals, so that .git could be changed as .GIT; ` +
            "move the workspace to a disk of Linux",
        );
      }
    } catch (error) {
      if (!(error instanceof ProcessStartError)) throw error;
      throw noSandbox(error.message);
    }
  }
  const probed = probe();
  // whoever waits for it hears of it
  probed.catch(() => {});

  return {
    mode: policy.mode,
    net: policy.net,
    identity: JSON.stringify([places, wish]),
    backend: "bubblewrap",
    home: places.home,
    ready: () => probed,
    listen: (listener) => void (notify = listener),
    wrap,
    protects(path) {
      if (policy.mode === "read") return true;
      if (path.split("/").includes(".git") && isInside(workspace, path)) return true;
      if (makesBare(bare, workspace, path)) return true;
      const { closed, links, watched } = protectionOf(workspace, places.home, commits);
      return [...closed, ...links, ...watched].some((each) => isInside(each, path));
    },
    hides: (path) => policy.hide.some((hidden) => isInside(hidden, path)),
    describe: () =>
      describeSandbox(policy, folders, {
        backend,
        socat,
        disablesUsers,
        env: host.env.all(),
        kept: wish.env,
        recent,
      }),
  };
}

/** Go would ask git about the empty folder that stands in for `.git`, and fail. */
function withoutGoStamps(env: Record<string, string>): Record<string, string> {
  return { ...env, GOFLAGS: `${env.GOFLAGS ?? ""} -buildvcs=false`.trim() };
}

function foldersAt(base: string, home: string): PrivateFolders {
  try {
    return openPrivateFolders(base, gitSettingsOf(home), seccompFilter(Deno.build.arch));
  } catch (error) {
    throw noSandbox(`its folder ${base} cannot be made: ${messageOf(error)}`);
  }
}

const probeTimeoutMs = 10_000;
const mostRecent = 10;
/** More are not remembered. */
const mostRefusals = 10_000;
