/** The sandbox that the settings in effect ask for. */
import type { Settings } from "../config/settings.ts";
import type { SettingSource } from "../config/merge.ts";
import type { DoctorReport } from "../core/doctor_report.ts";
import { RunFailure } from "../core/failure.ts";
import type { Sandbox, SandboxWish } from "../core/sandbox.ts";
import { type HostList, parseHostList } from "../core/sandbox_hosts.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run_options.ts";

/** Undefined where none is asked for. Throws `RunFailure` for settings that contradict each other. */
export function sandboxWish(
  settings: Settings,
  { sandboxNet }: Pick<RunOptions, "sandboxNet"> = {},
): SandboxWish | undefined {
  const mode = settings["sandbox.mode"];
  const net = parseHostList(settings["sandbox.net"]);
  if (typeof net === "object" && "problem" in net) {
    throw new RunFailure("usage", `--sandbox-net: ${net.problem}`);
  }
  if (mode === "off") {
    if (sandboxNet === undefined) return undefined;
    throw new RunFailure(
      "usage",
      "--sandbox-net needs a sandbox: add --sandbox workspace, or set sandbox.mode",
    );
  }
  return {
    mode,
    net: net as HostList,
    read: settings["sandbox.read"] ?? [],
    write: settings["sandbox.write"] ?? [],
    hide: settings["sandbox.hide"] ?? [],
    env: settings["sandbox.env"] ?? [],
  };
}

/** What `--doctor` says of it, and what keeps it from being had. */
export async function sandboxReport(
  environment: RunEnvironment,
  runOptions: Pick<RunOptions, "sandboxNet">,
): Promise<Pick<DoctorReport, "sandbox"> & { readonly problem?: string }> {
  const { settings, sources } = environment.config;
  const mode = `${settings["sandbox.mode"]} (from ${originOf(sources.get("sandbox.mode"))})`;
  const net = settings["sandbox.net"];
  try {
    const sandbox = await openSandboxOf(environment, runOptions);
    if (sandbox === undefined) return { sandbox: null };
    await sandbox.ready();
    return { sandbox: { mode, net, lines: sandbox.describe() } };
  } catch (error) {
    if (!(error instanceof RunFailure) || error.code === "usage") throw error;
    return { sandbox: { mode, net, lines: [] }, problem: error.message };
  }
}

function originOf(source: SettingSource | undefined): string {
  return source === undefined ? "nowhere" : "file" in source ? source.file : "the command line";
}

/** Opens it; undefined where none is asked for. Throws `RunFailure` where it cannot be had. */
export async function openSandboxOf(
  { config, workspace, nimletHome, host }: RunEnvironment,
  runOptions: Pick<RunOptions, "sandboxNet">,
): Promise<Sandbox | undefined> {
  const wish = sandboxWish(config.settings, runOptions);
  if (wish === undefined) return undefined;
  const { openSandbox } = await import("../host/sandbox/sandbox.ts");
  return await openSandbox(wish, { workspace, nimletHome }, host);
}
