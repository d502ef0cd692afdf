/** Starts the program of an extension. */
import { depthVariable, hookDepth } from "../core/hook_depth.ts";
import { childEnvironment } from "../core/child_environment.ts";
import {
  type Host,
  type OpenProcess,
  type OpenProcessSpec,
  ProcessStartError,
} from "../core/host.ts";
import { leadsOutside } from "../host/confinement.ts";
import { isExecutable } from "../host/find_program.ts";
import { kindAt, realOf } from "../host/folders.ts";
import { dirname } from "node:path";
import type { CommandLine, Sandbox } from "../core/sandbox.ts";
import { programFile, programLaunch } from "../host/program_launch.ts";
import { shellStartupVariables } from "../host/shell.ts";
import type { FoundExtension } from "./discover.ts";
import { ExtensionFailure } from "./failure.ts";

/** Throws `ProcessStartError` or `ExtensionFailure`. */
export type Launcher = (
  found: FoundExtension,
) => Promise<(spec: Pick<OpenProcessSpec, "onOutput" | "maxErrorBytes">) => OpenProcess>;

export interface LaunchPlace {
  readonly host: Host;
  /** Absolute real path. */
  readonly workspace: string;
  readonly childEnv: Record<string, string>;
  /** How an extension of the project differs from what was trusted; undefined where it does not. */
  changed(): Promise<string | undefined>;
  readonly sandbox?: Sandbox | undefined;
  /** What runs outside of the sandbox, as `extension:x`. */
  readonly outside: readonly string[];
}

export function launcher(place: LaunchPlace): Launcher {
  const { host, workspace, childEnv, changed, sandbox, outside } = place;
  return async ({ name: shownName, folder, scope, manifest }) => {
    if (scope === "project") {
      const change = await changed();
      if (change !== undefined) {
        throw new ExtensionFailure(
          "gone",
          `is not started: ${change}; /reload asks about it again`,
        );
      }
    }
    const { command: [name, ...args] } = manifest;
    const file = programFile(name, folder, host, workspace);
    if (file === undefined) {
      throw new ProcessStartError("not_found", `${name} was not found on PATH`);
    }
    if (kindAt(file) === "missing") {
      throw new ProcessStartError("not_found", `${file} is not there`);
    }
    if (
      scope === "project" && name.includes("/") && !name.startsWith("/") &&
      leadsOutside(file, folder)
    ) {
      throw new ProcessStartError(
        "other",
        `${file} leads outside the extension's folder through a link`,
      );
    }
    if (host.platform !== "windows" && !isExecutable(file)) {
      throw new ProcessStartError(
        "not_executable",
        `${file} is not executable; chmod +x makes it so`,
      );
    }
    const line: CommandLine = {
      ...programLaunch(file, args, host.platform),
      cwd: workspace,
      env: {
        ...childEnvironment(childEnv, shellStartupVariables),
        NIMLET_WORKSPACE: workspace,
        NIMLET_EXTENSION_DIR: folder,
        [depthVariable]: String(hookDepth(host.env) + 1),
      },
    };
    // a project chooses its names itself
    const isOut = scope !== "project" && outside.includes(`extension:${shownName}`);
    const isInside = sandbox !== undefined && !isOut;
    if (isInside) await sandbox.ready();
    // what a project names is no reason to show more of the machine
    const shown = scope === "project" ? [] : [folder, dirname(file)].map(realOf);
    return (spec) => {
      const inside = isInside ? sandbox.wrap(line, shown) : undefined;
      const { file: program, args, cwd, env } = inside ?? line;
      // it is told of the end before it is ended: by whoever holds it, not by a signal
      const unending = new AbortController().signal;
      const child = host.processes.open({ ...spec, file: program, args, cwd, env }, unending);
      void child.exited.then(({ exitCode }) =>
        inside?.finish({ exitCode, output: child.errorText })
      );
      return child;
    };
  };
}
