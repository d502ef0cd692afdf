/** The events that hooks can be written for, and those that only other programs have. */

/** By name: what its matcher is compared with, "" for nothing, and whether a guard can be one of it. */
export const hookEventTable = {
  SessionStart: { matches: "source", guards: true, timeoutSeconds: 60 },
  UserPromptSubmit: { matches: "", guards: true, timeoutSeconds: 30 },
  PreToolUse: { matches: "tool", guards: true, timeoutSeconds: 60 },
  PostToolUse: { matches: "tool", guards: true, timeoutSeconds: 60 },
  PostToolUseFailure: { matches: "tool", guards: true, timeoutSeconds: 60 },
  Notification: { matches: "notification_type", guards: false, timeoutSeconds: 10 },
  Stop: { matches: "", guards: false, timeoutSeconds: 60 },
  StopFailure: { matches: "error", guards: false, timeoutSeconds: 60 },
  PreCompact: { matches: "trigger", guards: false, timeoutSeconds: 60 },
  PostCompact: { matches: "trigger", guards: false, timeoutSeconds: 60 },
  SessionEnd: { matches: "reason", guards: false, timeoutSeconds: 5 },
} as const satisfies Record<
  string,
  { readonly matches: string; readonly guards: boolean; readonly timeoutSeconds: number }
>;

export type HookEvent = keyof typeof hookEventTable;

export const hookEvents = Object.keys(hookEventTable) as HookEvent[];

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(hookEventTable, name);
}

/** Events of Claude Code that nothing here is about. */
export const foreignHookEvents: ReadonlySet<string> = new Set([
  "ConfigChange",
  "CwdChanged",
  "Elicitation",
  "ElicitationResult",
  "FileChanged",
  "InstructionsLoaded",
  "MessageDisplay",
  "PermissionDenied",
  "PermissionRequest",
  "PostToolBatch",
  "Setup",
  "SubagentStart",
  "SubagentStop",
  "TaskCompleted",
  "TaskCreated",
  "TeammateIdle",
  "UserPromptExpansion",
  "WorktreeCreate",
  "WorktreeRemove",
]);
