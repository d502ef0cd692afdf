/** What a run stands on: workspace, trust, settings, keys, shell. */
import type { RunContext } from "../agent/run_context.ts";
import { type AuthFile, loadAuth } from "../config/credentials.ts";
import { nimletHome } from "../config/home.ts";
import { loadConfig, type LoadedConfig } from "../config/load.ts";
import { childEnvironment, keyVariables } from "../core/child_environment.ts";
import { RunFailure } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import type { Person } from "../core/person.ts";
import { referencedVariables } from "../config/secret.ts";
import { detectShell, type Shell } from "../host/shell.ts";
import { providers } from "../providers/catalog.ts";
import { decideTrust, type Trust } from "./trust.ts";
import type { RunOptions } from "./run_options.ts";
import { openWorkspace } from "./workspace.ts";
import { bashGrantKey } from "../core/grant_key.ts";

export interface RunEnvironment
  extends Pick<RunContext, "host" | "workspace" | "childEnv" | "limits" | "sandbox"> {
  /** nimlet's own folder; undefined without a home. */
  readonly nimletHome: string | undefined;
  readonly trust: Trust;
  readonly config: LoadedConfig;
  readonly auth: AuthFile | undefined;
  /** Found when first asked for. */
  shell(): Promise<Shell>;
  /** Keys of grants that the settings and the command line give. */
  readonly personalGrants: ReadonlySet<string>;
  /** What a person should know, in the order it was found. */
  readonly notices: readonly string[];
}

/** The settings that were read must be those that were trusted. Throws `RunFailure("config")`. */
async function assertTrusted({ project }: Trust): Promise<void> {
  const changes = await project?.changesOf(".nimlet/config.json") ?? [];
  if (changes.length === 0) return;
  throw new RunFailure("config", `${changes.join(", ")} while nimlet was starting: start it again`);
}

/** Throws `RunFailure` for a workspace or settings that cannot be used. */
export async function openEnvironment(
  runOptions: RunOptions,
  host: Host,
  person: Person | undefined,
  signal: AbortSignal,
): Promise<RunEnvironment> {
  const workspace = openWorkspace(runOptions.cwd, host);
  const home = nimletHome(host.env);
  const trust = await decideTrust({
    runOptions,
    host,
    workspace,
    nimletHome: home,
    person,
    signal,
  });
  const config = await loadConfig({
    home,
    workspace,
    projectTrusted: trust.trusted,
    env: host.env,
    flags: {
      "agent.thinking": runOptions.thinking,
      "agent.max_steps": runOptions.maxSteps,
      "agent.max_cost": runOptions.maxCost,
      "permissions.headless": runOptions.ask,
      "sandbox.mode": runOptions.sandbox,
      "sandbox.net": runOptions.sandboxNet,
    },
    choices: { "sandbox.mode": runOptions.chosenSandbox },
    providerNames: providers.map((provider) => provider.name),
    set: runOptions.set,
  });
  await assertTrusted(trust);
  const { settings } = config;
  const maxSteps = settings["agent.max_steps"], maxCost = settings["agent.max_cost"];
  const auth = await loadAuth(home);
  let shell: Promise<Shell> | undefined;
  return {
    host,
    workspace,
    nimletHome: home,
    trust,
    config,
    auth,
    shell: () => shell ??= detectShell(host),
    childEnv: settings["tools.pass_credentials"]
      ? host.env.all()
      : childEnvironment(host.env.all(), [
        ...keyVariables,
        ...referencedVariables(config.providers),
      ]),
    personalGrants: personalGrants(settings["permissions.allow"], runOptions.allow),
    limits: {
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxCost === undefined ? {} : { maxCost }),
      maxRepeats: settings["agent.max_repeats"],
      idleMs: settings["agent.request_timeout"] * 1000,
      maxOutputBytes: settings["tools.bash.max_output_bytes"],
    },
    notices: [...trust.notices, ...config.warnings, ...auth?.warnings ?? []],
  };
}

/** Throws `RunFailure` for what is no key of a grant. */
function personalGrants(
  settings: readonly string[] = [],
  flags: readonly string[] = [],
): ReadonlySet<string> {
  const keyOf = (text: string, source: string, code: "config" | "usage") => {
    const [, kind, rest = ""] = /^(bash|tool):(.*)$/s.exec(text) ?? [];
    if (kind === undefined || rest.trim() === "") {
      throw new RunFailure(
        code,
        `${source}: expected bash:COMMAND or tool:NAME, found ${JSON.stringify(text)}`,
      );
    }
    return kind === "bash" ? bashGrantKey(rest) : text;
  };
  return new Set([
    ...settings.map((text) => keyOf(text, "permissions.allow", "config")),
    ...flags.map((text) => keyOf(text, "--allow", "usage")),
  ]);
}
