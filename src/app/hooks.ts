/** The hooks that a conversation has; where none is configured, nothing is loaded. */
import { RunFailure } from "../core/failure.ts";
import { hookDepth } from "../core/hook_depth.ts";
import type { HookState } from "../core/hook_facts.ts";
import type { Host } from "../core/host.ts";
import type { Front, Participant, WatchChange } from "../core/moments.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Hook } from "../hooks/hook.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run_options.ts";

export interface AppHooks {
  readonly hooks: readonly Hook[];
  states(): readonly HookState[];
  readonly participants: readonly Participant[];
  /** What is wrong with what the settings say, one sentence each. */
  readonly warnings: readonly string[];
  /** Warnings for names in matchers that no tool has; each once. */
  nameWarnings(tools: readonly AnyTool[]): readonly string[];
  /** What a person should know before the next prompt; once. */
  changeNotices(): readonly string[];
  readonly watchChange: WatchChange;
}

/** Hooks may run nimlet, whose hooks may run nimlet; so deep it does not start. */
const maxDepth = 3;

/** Throws `RunFailure` for hooks that cannot be understood, and too deep within hooks. */
export async function loadHookSet(
  environment: RunEnvironment,
  { noHooks }: Pick<RunOptions, "noHooks">,
  { front, notify }: {
    readonly front: Front;
    notify(level: "info" | "warning", message: string): void;
  },
  signal: AbortSignal,
): Promise<AppHooks | undefined> {
  const { host, workspace, childEnv, config, trust, sandbox } = environment;
  const depth = checkedDepth(host);
  if (noHooks === true || config.hookSources.length === 0) return undefined;
  const { loadHooks } = await import("../hooks/load_hooks.ts");
  const { hooks: all, warnings, files } = await loadHooks(config.hookSources, {
    workspace,
    env: host.env,
    isTrusted: trust.trusted,
  });
  // within a hook nothing but guards runs, so that none starts itself
  const hooks = depth > 0 ? all.filter(({ isRequired }) => isRequired) : all;
  if (hooks.length === 0 && warnings.length === 0) return undefined;
  const { hookState } = await import("../hooks/hook_facts.ts");
  const { hookSet } = await import("../hooks/hook_set.ts");
  const { settingsWatch } = await import("../hooks/settings_watch.ts");
  const { hookProcesses } = await import("../hooks/run_hook.ts");
  const { watchChange } = await import("../hooks/watch_change.ts");
  const set = hookSet(hooks, {
    workspace,
    front,
    processes: hookProcesses({ host, workspace, childEnv, sandbox }),
    clock: host.clock,
    tell: notify,
    async projectChanges() {
      const changes = await trust.project?.hookChanges() ?? [];
      return changes.join(", ");
    },
    end: signal,
  });
  const changed = settingsWatch([...config.hookSources.map(({ file }) => file), ...files]);
  return {
    hooks,
    states: () => hooks.map(hookState),
    participants: set.participants,
    warnings,
    nameWarnings: set.nameWarnings,
    changeNotices: changed,
    watchChange,
  };
}

function checkedDepth({ env }: Host): number {
  const depth = hookDepth(env);
  if (depth >= maxDepth) {
    throw new RunFailure(
      "usage",
      `nimlet was started by a hook or extension of a nimlet that was started by one, ${depth} deep; ` +
        "let it do without",
    );
  }
  return depth;
}
