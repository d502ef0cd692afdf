/** What hooks there are, for a look at the configuration; none is run. */
import type { DoctorReport } from "../core/doctor_report.ts";
import type { RunEnvironment } from "./environment.ts";

export interface HookReport {
  readonly hooks: DoctorReport["hooks"];
  readonly warnings: readonly string[];
}

/** Throws `RunFailure` for hooks that cannot be understood. */
export async function hookReport(
  { config, workspace, host, trust }: RunEnvironment,
): Promise<HookReport> {
  if (config.hookSources.length === 0) return { hooks: [], warnings: [] };
  const { loadHooks } = await import("../hooks/load_hooks.ts");
  const { hookFacts } = await import("../hooks/hook_facts.ts");
  const place = { workspace, env: host.env, isTrusted: trust.trusted };
  const { hooks, warnings } = await loadHooks(config.hookSources, place);
  return { hooks: hooks.map(hookFacts), warnings };
}
