/** Owns the making of the permission gate for a run. */
import { allowAll, type PermissionGate } from "../core/permission.ts";
import type { Person } from "../core/person.ts";
import type { RunEnvironment } from "./environment.ts";
import type { Wanted } from "./wanted.ts";

export interface GateParts {
  readonly wanted: Pick<Wanted, "ask">;
  readonly environment: RunEnvironment;
  readonly person: Person | undefined;
  readonly approvesEverything: { on: boolean };
}

export function createGate(_parts: GateParts): PermissionGate {
  return allowAll;
}
