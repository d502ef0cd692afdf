/** What `--doctor test` tries: whether the model answers, and MCP servers and extensions start. */
import type { DoctorReport } from "../core/doctor_report.ts";
import { openSandboxOf } from "./sandbox.ts";
import type { RunEnvironment } from "./environment.ts";
import { findExtensions } from "./extensions.ts";
import { mcpOwner } from "./mcp.ts";
import { loadMcpTools } from "./mcp_tools.ts";
import { probeExtensions } from "./probe_extensions.ts";
import { probeModel } from "./probe_model.ts";
import { probeServers } from "./probe_servers.ts";
import type { RunOptions } from "./run_options.ts";
import { makeModel, type ModelChoice } from "./select_model.ts";

/** Asks the model, and starts servers and extensions, which are ended again. */
export async function doctorProbes(
  choice: ModelChoice,
  environment: RunEnvironment,
  options: RunOptions,
  signal: AbortSignal,
): Promise<NonNullable<DoctorReport["tests"]>> {
  const { host } = environment;
  const model = await makeModel(choice, environment);
  const owner = mcpOwner(host);
  try {
    const sandbox = await openSandboxOf(environment, options);
    const confined = { ...environment, sandbox };
    const mcp = await loadMcpTools(confined, owner, undefined);
    return [
      await probeModel(model, host.clock, signal),
      ...await probeServers(mcp?.toolset.servers ?? [], host.clock, signal),
      ...await probeExtensions(await findExtensions(confined, options), signal),
    ];
  } finally {
    await owner.made?.close();
  }
}
