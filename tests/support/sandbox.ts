/** What tests of the sandbox share: whether there is one here, and commands that run inside. */
import type { Host, ProcessResult, ProcessSpec } from "../../src/core/host.ts";
import type { Sandbox, SandboxWish } from "../../src/core/sandbox.ts";
import { runEndTasks } from "../../src/host/at_end.ts";
import { realHost } from "../../src/host/real_host.ts";
import { openSandbox } from "../../src/host/sandbox/sandbox.ts";
import type { Need } from "./test_where.ts";

/** bwrap, and a system that lets it work. */
export const sandboxNeed: Need = {
  met: bwrapWorks(),
  reason: "needs bubblewrap, and a system that gives it user namespaces",
};

function bwrapWorks(): boolean {
  try {
    const args = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/"];
    return new Deno.Command("bwrap", {
      args: [...args, "--proc", "/proc", "--dev", "/dev", "true"],
      stdout: "null",
      stderr: "null",
    }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

export interface Inside {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly sandbox: Sandbox;
  /** What a person was told. */
  readonly told: string[];
  run(command: string, more?: Partial<ProcessSpec>, signal?: AbortSignal): Promise<InsideResult>;
}

export interface InsideResult extends ProcessResult {
  /** Both streams. */
  readonly text: string;
  /** What the head of the result would say of the sandbox. */
  readonly lines: readonly string[];
}

export interface InsideOptions extends Partial<SandboxWish> {
  /** Added to the environment of the test. */
  readonly set?: Record<string, string>;
  /** Name of the workspace, below the scratch folder. */
  readonly name?: string;
  /** Makes what is to be there before; gets the scratch folder. */
  before?(places: { root: string; workspace: string; home: string }): Promise<void> | void;
  /** Called when all has been put in order at the end. */
  after?(places: { root: string; workspace: string; home: string }): Promise<void> | void;
}

/** A scratch home and workspace with a sandbox, to the end that the program itself would make. */
export async function withSandbox(
  options: InsideOptions,
  use: (inside: Inside) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-sandbox-" }));
  const { set = {}, name = "W", before, after, ...wish } = options;
  const places = { root, workspace: `${root}/${name}`, home: `${root}/home` };
  try {
    await Deno.mkdir(places.workspace, { recursive: true });
    await Deno.mkdir(`${places.home}/.nimlet`, { recursive: true });
    await before?.(places);
    const host = hostWith({ HOME: places.home, ...set }, places);
    const all: SandboxWish = {
      mode: "workspace",
      net: "off",
      read: [],
      write: [],
      hide: [],
      env: [],
      ...wish,
    };
    const nimletHome = `${places.home}/.nimlet`;
    const { workspace } = places;
    const told: string[] = [];
    const sandbox = await openSandbox(all, { workspace, nimletHome }, host);
    sandbox.listen((sentence) => told.push(sentence));
    await sandbox.ready();
    await use({
      ...places,
      sandbox,
      told,
      async run(command, more = {}, signal = new AbortController().signal) {
        const line = {
          file: "/bin/bash",
          args: ["--noprofile", "--norc", "-c", command],
          cwd: workspace,
          env: { ...host.env.all(), PWD: workspace },
        };
        const inside = sandbox.wrap(line);
        const spec = { ...inside, maxOutputBytes: 100_000, timeoutMs: 60_000, ...more };
        const result = await host.processes.run(spec, signal);
        const text = result.stdout.text + result.stderr.text;
        const lines = inside.finish({ exitCode: result.exitCode, output: text });
        return { ...result, text, lines };
      },
    });
    await runEndTasks();
    await after?.(places);
  } finally {
    await runEndTasks();
    await Deno.remove(root, { recursive: true });
  }
}

/** The real host in an environment of the test's own. */
export function hostWith(
  set: Record<string, string>,
  { home, root }: { home: string; root: string },
): Host {
  const host = realHost();
  const all = () => ({ PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8", ...set });
  return {
    ...host,
    env: { get: (name) => (all() as Record<string, string>)[name], all, home, cwd: root },
  };
}

/** The result of a git command, outside the sandbox. */
export function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=n", "-c", "user.email=n@example.com"];
  const { success, stdout, stderr } = new Deno.Command("git", {
    args: ["-C", folder, ...identity, "-c", "protocol.file.allow=always", ...args],
    env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  }).outputSync();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return text;
}

/** A repository with one commit of the file `a`. */
export function makeRepository(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  Deno.writeTextFileSync(`${folder}/a`, "a\n");
  git(folder, "add", "a");
  git(folder, "commit", "-qm", "first");
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
