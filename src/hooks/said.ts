/** The fields of a hook's answer, as far as they have the form that they need. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { HookAnswer } from "./answer.ts";
import { forModel, reasonOf } from "./clean_text.ts";
import type { Hook } from "./hook.ts";

type Answered = Extract<HookAnswer, { kind: "answered" }>;

/** `hookSpecificOutput`; `{}` for none. */
export function specific({ said }: Answered): JsonObject {
  return isJsonObject(said.hookSpecificOutput) ? said.hookSpecificOutput : {};
}

/** `nimlet`, which overrides the others. */
export function ownForm({ said }: Answered): JsonObject {
  return isJsonObject(said.nimlet) ? said.nimlet : {};
}

/** Why it blocks: by its status, or by its answer; undefined where it does not. */
export function blockReason(answer: Answered): string | undefined {
  const { blocks, said } = answer;
  if (blocks !== undefined) {
    return reasonOf(blocks === "" ? textOf(said.reason) || deniedReason(answer) : blocks);
  }
  return said.decision === "block" || said.decision === "deny"
    ? reasonOf(textOf(said.reason))
    : undefined;
}

function deniedReason(answer: Answered): string {
  return textOf(specific(answer).permissionDecisionReason);
}

/** Why the run is to end, with the hook's name. */
export function stopReason({ name }: Hook, { said }: Answered): string | undefined {
  if (said.continue !== false) return undefined;
  return `hook ${name}: ${reasonOf(textOf(said.stopReason) || textOf(said.reason))}`;
}

/** Text for the model; `plain` where text that is no JSON counts, too. */
export function contextOf(hook: Hook, answer: Answered, plain = false): string {
  const given = textOf(specific(answer).additionalContext) ||
    textOf(answer.said.additionalContext);
  return forModel(`hook ${hook.name}`, given || (plain ? answer.text : ""));
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
