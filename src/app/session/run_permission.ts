/** The permission gate of one run. */
import type { AskPermission, PermissionGate, PermissionQuestion } from "../../core/permission.ts";
import type { Person } from "../../core/person.ts";
import { type GateOptions, permissionGate } from "../../permissions/gate.ts";
import { commandJudge } from "../../permissions/judge.ts";
import { unaskedNotice } from "../../permissions/unasked_notice.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";

/** What looks at commands, for all runs of a conversation. */
export type CommandChecks = Required<Pick<GateOptions, "judge" | "beforeUnasked">>;

export function commandChecks(notice: (sentence: string) => void): CommandChecks {
  const judge = commandJudge();
  return { judge, beforeUnasked: unaskedNotice(judge, notice) };
}

/** What a run asks before a call, with the grants of session, project and person. */
export function runPermission(
  environment: ConversationEnvironment,
  person: Person | undefined,
  { asked, ...own }:
    & CommandChecks
    & Pick<GateOptions, "approvesEverything" | "session" | "notice">
    & {
      /** Called as a question is put. */
      asked(question: PermissionQuestion): void;
    },
): PermissionGate {
  const { settings } = environment.config;
  return permissionGate({
    ...own,
    get ask() {
      const ask = person?.askPermission;
      if (ask === undefined) return undefined;
      const told: AskPermission = (question, signal) => {
        asked(question);
        return ask(question, signal);
      };
      return told;
    },
    headless: settings["permissions.headless"],
    project: environment.projectGrants,
    personal: environment.personalGrants,
    bounds: environment,
    sandbox: environment.sandbox && { outside: settings["sandbox.outside"] ?? [] },
    trust: environment.trust.project,
  });
}
