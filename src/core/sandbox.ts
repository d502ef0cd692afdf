/** The sandbox for the commands that nimlet runs: its modes, and the port to it. */
import type { HostList } from "./sandbox_hosts.ts";

/** From loose to strict. */
export const sandboxModes = ["off", "commit", "workspace", "read"] as const;
export type SandboxMode = typeof sandboxModes[number];

/** What a person asked for, as settings have it. */
export interface SandboxWish {
  readonly mode: Exclude<SandboxMode, "off">;
  readonly net: HostList;
  /** More paths: absolute, or from `~/`; what `hide` names may also be relative to the workspace. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hide: readonly string[];
  /** Variables that are handed on although they look secret. */
  readonly env: readonly string[];
}

/** A program with its arguments, folder and environment. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A command line that runs inside, to be started as any other. */
export interface SandboxedCommand extends CommandLine {
  /**
   * To be called once, when the program has ended, with what it said in the end: gives one line for each
   * refusal and for each thing that was put back.
   */
  finish(end?: ProgramEnd): string[];
}

export interface ProgramEnd {
  readonly exitCode: number;
  /** Ends of what it wrote. */
  readonly output: string;
}

/** What keeps programs inside. Made once for the settings in effect. */
export interface Sandbox {
  readonly mode: SandboxWish["mode"];
  readonly net: HostList;
  /** Another text for another policy. */
  readonly identity: string;
  /** What does the work: `bubblewrap`. */
  readonly backend: string;
  /** Real path of the home folder, which is private inside. */
  readonly home: string;
  /** Rejects with `RunFailure("config")` where the sandbox cannot be had; nothing may run before it resolves. */
  ready(): Promise<void>;
  /**
   * The command line that runs `line` inside: for a call, and for programs that stay. `read` names
   * folders that it needs besides those of the policy, `keep` variables that it gets although they look
   * secret. Synchronous, and to be started at once.
   */
  wrap(line: CommandLine, read?: readonly string[], keep?: readonly string[]): SandboxedCommand;
  /** Has `notify` called with what a person should know, one sentence each. */
  listen(notify: (sentence: string) => void): void;
  /** True for an absolute real path that nimlet's own tools must not change. */
  protects(path: string): boolean;
  /** True for an absolute real path that nimlet's own tools must not show. */
  hides(path: string): boolean;
  /** What `--doctor` and `/sandbox` say: name and text of each line. */
  describe(): readonly (readonly [string, string])[];
}

/** How much of the network the settings give, in one text: `off`, `on`, or hosts with commas. */
export function netText(net: HostList): string {
  return typeof net === "string" ? net : net.join(",");
}
