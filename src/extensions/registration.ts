/** Whether what an extension registered can be used. */
import { isNameList } from "../core/hook_settings.ts";
import type { Extension } from "./extension_port.ts";
import { ExtensionFailure } from "./failure.ts";
import type { Registration } from "./protocol.ts";

type Subscription = NonNullable<Registration["events"]>[number];

export function eventName(event: Subscription): string {
  return typeof event === "string" ? event : event.event;
}

/** Throws an `ExtensionFailure` for a matcher that is no expression. */
export function checkMatcher(event: Subscription): void {
  if (typeof event === "string" || event.matcher === undefined) return;
  if (event.matcher === "*" || isNameList(event.matcher)) return;
  try {
    new RegExp(event.matcher);
  } catch (error) {
    throw new ExtensionFailure(
      "unfit",
      `registered with a matcher that is no expression: ${(error as Error).message}`,
    );
  }
}

/** Whether two processes of an extension listen to the same calls and results. */
export function guardsTheSame(one: Registration, other: Registration): boolean {
  return JSON.stringify(guarded(one)) === JSON.stringify(guarded(other));
}

function guarded({ events = [] }: Registration): Subscription[] {
  return events.filter((event) => eventName(event).startsWith("tool_"));
}

/** Why no prompt may be sent, where it is a guard that does not guard. */
export function guardProblem({ found, registration, error }: Extension): string | undefined {
  if (!found.manifest.guards) return undefined;
  if (registration === undefined) {
    return `${found.title} ${error ?? "has not registered"}; no prompt is sent without it. ` +
      `Mend ${found.file}, or start with --no-extensions`;
  }
  const names = registration.events?.map(eventName) ?? [];
  return names.includes("tool_call") || names.includes("tool_result")
    ? undefined
    : `${found.title} guards nothing: it registered for neither tool_call nor tool_result`;
}
