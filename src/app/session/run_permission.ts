/** The permission gate of one run. */
import type { PermissionGate } from "../../core/permission.ts";
import type { Person } from "../../core/person.ts";
import { type GateOptions, permissionGate } from "../../permissions/gate.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";

/** What a run asks before a call, with the grants of session, project and person. */
export function runPermission(
  environment: ConversationEnvironment,
  person: Person | undefined,
  own: Pick<GateOptions, "approvesEverything" | "session" | "judge" | "notice">,
): PermissionGate {
  return permissionGate({
    ...own,
    get ask() {
      return person?.askPermission;
    },
    headless: environment.config.settings["permissions.headless"],
    project: environment.projectGrants,
    personal: environment.personalGrants,
    bounds: environment,
    trust: environment.trust.project,
  });
}
