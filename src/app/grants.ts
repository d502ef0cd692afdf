/** The grants that count in a conversation. */
import type { Person } from "../core/person.ts";
import { type Grants, grantsPath, projectGrants } from "../permissions/grants.ts";
import type { RunEnvironment } from "./environment.ts";

export interface RunGrants {
  readonly session: Grants;
  /** Undefined where the project is not trusted. */
  readonly project: Grants | undefined;
}

/** The project's own grants, where they can count, with what is wrong with them. */
export async function loadProjectGrants(
  { config, trust, workspace, nimletHome, host }: RunEnvironment,
  person: Person | undefined,
): Promise<{ readonly grants: Grants | undefined; readonly warnings: readonly string[] }> {
  const asks = person !== undefined || config.settings["permissions.headless"] === "deny";
  if (!trust.trusted || !asks) return { grants: undefined, warnings: [] };
  const place = { workspace, nimletHome, home: host.env.home };
  const trustFile = () => import("../permissions/trust.ts");
  const name = grantsPath.replaceAll("\\", "/");
  const loaded = await projectGrants({
    workspace,
    isTrusted: async () => await (await trustFile()).isTrustedAsIs(place, name),
    written: async () => await (await trustFile()).renewTrust(place, [name]),
  });
  // What was read must be what was trusted.
  const changes = await trust.project?.changesOf(name) ?? [];
  if (changes.length === 0) return loaded;
  const warning = `${changes.join(", ")} while nimlet was starting; its grants do not count`;
  return { grants: undefined, warnings: [warning] };
}
