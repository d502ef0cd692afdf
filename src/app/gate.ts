/** The making of the permission gate for a run. */
import type { PermissionGate } from "../core/permission.ts";
import type { Person } from "../core/person.ts";
import { commandJudge } from "../permissions/danger.ts";
import { permissionGate } from "../permissions/gate.ts";
import { type Grants, grantsPath, projectGrants, sessionGrants } from "../permissions/grants.ts";
import type { RunEnvironment } from "./environment.ts";
import type { RunOptions } from "./run_options.ts";

export interface GateParts {
  readonly runOptions: Pick<RunOptions, "ask">;
  readonly environment: RunEnvironment;
  readonly person: Person | undefined;
  readonly approvesEverything: { on: boolean };
  /** For what a person should know while calls are decided. */
  readonly notice: (sentence: string) => void;
}

export interface RunGrants {
  readonly session: Grants;
  /** Absent where the project is not trusted. */
  readonly project?: Grants;
}

export interface Gate {
  readonly permission: PermissionGate;
  readonly grants: RunGrants;
  /** What is wrong with the project's grants. */
  readonly warnings: readonly string[];
}

export async function createGate(parts: GateParts): Promise<Gate> {
  const { runOptions, environment, person, approvesEverything, notice } = parts;
  const { config, trust, workspace, nimletHome, host } = environment;
  const headless = runOptions.ask ?? config.settings["permissions.headless"];
  const place = { workspace, nimletHome, home: host.env.home };
  const trustFile = () => import("../permissions/trust.ts");
  const name = grantsPath.replaceAll("\\", "/");
  const { grants: project, warnings } =
    trust.trusted && (person !== undefined || headless === "deny")
      ? await projectGrants({
        workspace,
        isTrusted: async () => await (await trustFile()).isTrustedAsIs(place, name),
        written: async () => await (await trustFile()).renewTrust(place, [name]),
      })
      : { grants: undefined, warnings: [] };
  const grants: RunGrants = {
    session: sessionGrants(),
    ...(project === undefined ? {} : { project }),
  };
  return {
    grants,
    warnings,
    permission: permissionGate({
      ...grants,
      approvesEverything: () => approvesEverything.on,
      get ask() {
        return person?.askPermission;
      },
      headless,
      judge: commandJudge(),
      notice,
    }),
  };
}
