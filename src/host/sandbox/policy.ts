/** What a sandbox shows and hides on this machine: settled once, from the settings and the environment. */
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../core/host.ts";
import { RunFailure } from "../../core/failure.ts";
import type { SandboxWish } from "../../core/sandbox.ts";
import { isInside } from "../../lib/path_inside.ts";
import { factsOf, realOf, realOrMissing } from "../folders.ts";
import { findRepository } from "../git_repository.ts";

/** All paths are absolute; `workspace`, `home` and `nimletHome` are real. */
export interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly nimletHome: string;
}

/** A real path, and where it is shown. */
export interface Shown {
  readonly from: string;
  readonly at: string;
}

export interface Policy extends Places, Pick<SandboxWish, "mode" | "net"> {
  /** Tool chains, caches of downloads, folders of PATH, and the repository around the workspace. */
  readonly readable: readonly Shown[];
  /** What the person's settings add. */
  readonly read: readonly Shown[];
  readonly write: readonly Shown[];
  /** Real paths. */
  readonly hide: readonly string[];
}

/** Folders of the root that do not exist inside, or are others there. */
export const replacedFolders = "proc dev sys run tmp home root media mnt boot srv snap lost+found"
  .split(" ");
const systemFolders = new Set(
  [...replacedFolders, ..."bin sbin etc usr var opt nix lib lib32 lib64 libx32".split(" ")],
);

const toolChains =
  (".nvm .fnm .volta .asdf .pyenv .rbenv .sdkman .rustup .cargo/bin .deno/bin .bun/bin go/bin " +
    ".local/bin .local/lib .local/share/mise .local/share/uv .local/share/pnpm .local/share/pipx " +
    ".ghcup .opam .juliaup miniconda3").split(" ");
/** Shown where nothing can be fetched: with a network programs must be able to add to theirs. */
const downloads =
  ".cargo/registry .cargo/git go/pkg/mod .m2/repository .npm/_cacache .cache/pip .cache/uv"
    .split(" ");

/** Variables that name a tool chain's folder, wherever it is. */
const rootVariables =
  "PYENV_ROOT RBENV_ROOT NVM_DIR FNM_DIR VOLTA_HOME ASDF_DATA_DIR SDKMAN_DIR RUSTUP_HOME GOROOT JAVA_HOME"
    .split(" ");

/** Throws `RunFailure("config")` for a workspace or paths that no sandbox can be made for. */
export function policyOf(wish: SandboxWish, places: Places, env: Environment): Policy {
  const { workspace, home, nimletHome } = places;
  checkWorkspace(places);
  const named = (key: "read" | "write") =>
    wish[key].flatMap((text): Shown[] => {
      const at = pathOf(text, key, home);
      const from = realOrMissing(at);
      if (from === undefined) return [];
      const problem = isInside(nimletHome, from) || isInside(from, nimletHome)
        ? "nimlet's own folder is never shown"
        : isInside(from, home)
        ? "it holds the home folder"
        : undefined;
      if (problem !== undefined) throw contradiction(key, text, problem);
      return [{ from, at }];
    });
  const hide = wish.hide.map((text) =>
    realOf(
      isAbsolute(text) || text.startsWith("~/")
        ? pathOf(text, "hide", home)
        : join(workspace, text),
    )
  );
  const write = named("write");
  for (const { from, at } of write) {
    const over = hide.find((hidden) => isInside(hidden, from));
    if (over !== undefined) throw contradiction("write", at, `sandbox.hide covers it by ${over}`);
  }
  if (hide.some((hidden) => isInside(hidden, workspace))) {
    throw contradiction("hide", workspace, "it is the workspace, or holds it");
  }
  const repository = findRepository(workspace);
  const top = repository !== undefined && "top" in repository ? repository.top : workspace;
  const around = top !== workspace && !isInside(top, home) && !isInside(top, nimletHome)
    ? [{ from: top, at: top }]
    : [];
  return {
    ...places,
    mode: wish.mode,
    net: wish.net,
    readable: [
      ...[...toolChains, ...(wish.net === "off" ? downloads : [])].map((name) => join(home, name)),
      "/home/linuxbrew",
      ...[
        ...(env.get("PATH") ?? "").split(delimiter),
        ...rootVariables.map((name) => env.get(name) ?? ""),
      ].filter((entry) => isShowable(entry, places)),
    ].filter((at, index, all) => existsSync(at) && all.indexOf(at) === index).flatMap((at) => {
      const from = realOrMissing(at);
      const isFine = from !== undefined && factsOf(from).kind === "folder" &&
        !isInside(from, home) && !isInside(from, nimletHome) && !isInside(nimletHome, from);
      return isFine ? [{ from, at }] : [];
    }).concat(around).sort((a, b) => a.at.length - b.at.length),
    read: named("read"),
    write,
    hide,
  };
}

/** True for a folder of PATH that the root of the sandbox does not show anyway. */
function isShowable(entry: string, { workspace, home, nimletHome }: Places): boolean {
  if (!isAbsolute(entry) || resolve(entry) !== entry) return false;
  const isCovered = isInside(workspace, entry) || isInside(nimletHome, entry) ||
    isInside(entry, home) || isWindowsDrive.test(entry);
  return !isCovered && (isInside(home, entry) || isReplaced(entry));
}

const isWindowsDrive = /^\/mnt\/[a-z](\/|$)/;

/** True for what lies in a folder of the root that is not shown. */
function isReplaced(path: string): boolean {
  return replacedFolders.includes(path.split("/")[1]!) || isInside("/var/tmp", path);
}

function pathOf(text: string, key: string, home: string): string {
  if (text === "~" || text.startsWith("~/")) return join(home, text.slice(2));
  if (isAbsolute(text)) return resolve(text);
  throw new RunFailure(
    "config",
    `sandbox.${key}: expected an absolute path, or one that begins with ~/, found ${
      JSON.stringify(text)
    }`,
  );
}

function contradiction(key: string, path: string, problem: string): RunFailure {
  return new RunFailure("config", `sandbox.${key}: ${path} cannot be taken: ${problem}`);
}

/** Throws `RunFailure("config")` where the settings would let commands write what is protected. */
export function assertFree(
  { mode, write }: Pick<Policy, "mode" | "write">,
  closed: readonly string[],
) {
  for (const { from, at } of mode === "read" ? [] : write) {
    const over = closed.find((path) => isInside(path, from));
    if (over !== undefined) throw contradiction("write", at, `the sandbox protects ${over}`);
  }
}

function checkWorkspace({ workspace, home, nimletHome }: Places): void {
  const problem = workspace === "/"
    ? "is the root of the system"
    : workspace === home
    ? "is the home folder"
    : isInside(workspace, home)
    ? "holds the home folder"
    : isInside(workspace, nimletHome)
    ? "holds nimlet's own folder"
    : isInside(nimletHome, workspace)
    ? "lies in nimlet's own folder"
    : dirname(workspace) === "/" && systemFolders.has(workspace.slice(1)) ||
        workspace === "/var/tmp" || /^\/(proc|sys|dev|run)\//.test(workspace)
    ? "is a folder of the system"
    : home === "/"
    ? "cannot be separated from the home folder, which is /"
    : undefined;
  if (problem === undefined) return;
  throw new RunFailure(
    "config",
    `the sandbox was asked for and cannot be had: the workspace ${workspace} ${problem}; ` +
      "start nimlet in a project's folder",
  );
}
