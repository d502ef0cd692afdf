/** The extensions of a run; where there are none, nothing is loaded. */
import { join } from "node:path";
import type { ExtensionPool, PoolOptions } from "../extensions/pool.ts";
import { hookDepth } from "../core/hook_depth.ts";
import { kindAt } from "../host/folders.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run_options.ts";

export interface Extensions {
  /** Absent where none is to run. */
  readonly pool?: ExtensionPool;
  /** One sentence each, for people. */
  readonly warnings: readonly string[];
}

/** Finds them; nothing is started. Undefined where there are none. */
export async function findExtensions(
  environment: RunEnvironment,
  { noExtensions }: Pick<RunOptions, "noExtensions">,
  commandOwner: PoolOptions["commandOwner"] = () => Promise.resolve(undefined),
): Promise<Extensions | undefined> {
  const { workspace, host, childEnv, trust } = environment;
  const roots = extensionRoots(environment);
  if (roots.length === 0) return undefined;
  const { discoverExtensions } = await import("../extensions/discover.ts");
  const { extensions: all, warnings } = await discoverExtensions(roots, workspace);
  // within one nothing but guards runs, so that none starts itself
  const isWithin = hookDepth(host.env) > 0;
  const extensions = isWithin ? all.filter(({ manifest }) => manifest.guards) : all;
  if (noExtensions) {
    const guards = extensions.filter(({ manifest }) => manifest.guards);
    return {
      warnings: guards.map(({ title, file }) =>
        `--no-extensions: ${title} of ${file} does not run`
      ),
    };
  }
  if (extensions.length === 0) return warnings.length === 0 ? undefined : { warnings };
  const { extensionPool } = await import("../extensions/pool.ts");
  const { launcher } = await import("../extensions/launch.ts");
  const { matchesTool } = await import("../hooks/matcher.ts");
  const { readContent } = await import("./extension_content.ts");
  const pool = extensionPool({
    found: extensions,
    launch: launcher({
      host,
      workspace,
      childEnv,
      sandbox: environment.sandbox,
      outside: environment.config.settings["sandbox.outside"] ?? [],
      async changed() {
        const changes = await trust.project?.toolChanges() ?? [];
        return changes.length === 0
          ? undefined
          : `the project is not what was trusted (${changes.slice(0, 3).join(", ")})`;
      },
    }),
    clock: host.clock,
    workspace,
    readContent,
    matchesTool,
    commandOwner,
  });
  return { pool, warnings };
}

/** Those that are there. */
export function extensionRoots({ nimletHome, workspace, trust }: RunEnvironment) {
  const roots = [
    ...nimletHome === undefined
      ? []
      : [{ path: join(nimletHome, "extensions"), scope: "global" as const }],
    ...(trust.trusted ? [".agent", ".nimlet"] : []).map((folder) => ({
      path: join(workspace, folder, "extensions"),
      scope: "project" as const,
    })),
  ];
  return roots.filter(({ path }) => kindAt(path) !== "missing");
}
