/** What extensions there are, for a look at the configuration; none is started. */
import type { DoctorReport } from "../core/doctor_report.ts";
import type { RunEnvironment } from "./environment.ts";
import { extensionRoots } from "./extensions.ts";

export interface ExtensionReport {
  readonly extensions: DoctorReport["extensions"];
  readonly warnings: readonly string[];
}

export async function extensionReport(environment: RunEnvironment): Promise<ExtensionReport> {
  const roots = extensionRoots(environment);
  if (roots.length === 0) return { extensions: [], warnings: [] };
  const { discoverExtensions } = await import("../extensions/discover.ts");
  const { extensions, warnings } = await discoverExtensions(roots, environment.workspace);
  return {
    extensions: extensions.map(({ name, scope, folder, manifest }) => ({
      name,
      scope: scope === "global" ? "user" : "project",
      folder,
      command: manifest.command,
      guards: manifest.guards,
    })),
    warnings,
  };
}
