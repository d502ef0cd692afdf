/** What is told of a hook: to people in lists, to clients in the state. */
import type { HookFacts, HookState } from "../core/hook_facts.ts";
import type { Hook } from "./hook.ts";

export function hookFacts(
  { event, matcher, name, command, args = [], file, scope, isRequired, isAsync }: Hook,
): HookFacts {
  return {
    event,
    matcher,
    name,
    command: [command, ...args].join(" "),
    file,
    scope: scope === "personal" ? "user" : "project",
    required: isRequired,
    async: isAsync,
  };
}

export function hookState(hook: Hook): HookState {
  const { runs, failures, lastMs } = hook.count;
  return {
    ...hookFacts(hook),
    runs,
    failures,
    ...lastMs === undefined ? {} : { last_ms: lastMs },
  };
}
