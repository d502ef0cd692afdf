/** The JSON Schemas of hooks: how they are written, what they get, what they answer. */
import { type HookEvent, hookEvents, hookEventTable } from "./hook_events.ts";
import { commonHookFields, hookAnswerFields, hookForms } from "./hook_forms.ts";
import type { JsonObject } from "./json.ts";

/** The keys of one hook. */
export const hookSettingFields = {
  type: {
    enum: ["command", "http", "mcp_tool", "prompt", "agent"],
    description: "`command`; the others are left out",
  },
  command: { type: "string", minLength: 1, description: "for the shell; with `args` a program" },
  args: {
    type: "array",
    items: { type: "string" },
    description: "what the program gets; no shell reads anything",
  },
  shell: { enum: ["bash", "powershell"], description: "what reads `command`, instead of `sh`" },
  timeout: {
    type: "number",
    minimum: 0.1,
    maximum: 3600,
    description: "seconds, from the start of the process",
  },
  required: {
    type: "boolean",
    default: false,
    description: "a guard: a failure means no; see below",
  },
  async: { type: "boolean", default: false, description: "not waited for" },
  if: { type: "string", description: "`Edit(*.ts)`: only for such files" },
  name: { type: "string", description: "for lists, denials and warnings" },
  statusMessage: { type: "string", description: "shown where it takes longer than 1 s" },
  outside_sandbox: {
    type: "boolean",
    default: false,
    description: "runs outside of the sandbox; in your own files alone",
  },
} satisfies JsonObject;

/** The value of `hooks` in a settings file. */
export function hooksSchema(): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(hookEvents.map((event) => [event, groupsSchema(event)])),
  };
}

function groupsSchema(event: keyof typeof hookEventTable): JsonObject {
  const { guards, timeoutSeconds } = hookEventTable[event];
  const handler = {
    type: "object",
    required: ["type", "command"],
    properties: {
      ...hookSettingFields,
      timeout: { ...hookSettingFields.timeout, default: timeoutSeconds },
      required: guards ? hookSettingFields.required : { const: false },
    },
  };
  const group = {
    type: "object",
    required: ["hooks"],
    properties: { matcher: { type: "string" }, hooks: { type: "array", items: handler } },
  };
  return { type: "array", items: group };
}

/** What a hook gets and what it answers. */
export function hookSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The standard input and the answer of a hook",
    oneOf: [
      ...hookEvents.map((event) => stdinSchema(event)),
      {
        title: "What a hook answers",
        type: "object",
        properties: hookAnswerFields,
        not: { required: ["hook_event_name"] },
      },
    ],
  };
}

/** What a hook of `event` gets. */
export function stdinSchema(event: HookEvent): JsonObject {
  const { when, fields } = hookForms[event];
  const properties = { ...commonHookFields, hook_event_name: { const: event }, ...fields };
  return {
    title: `What a hook of ${event} gets`,
    description: when,
    type: "object",
    properties,
    required: Object.keys(properties),
  };
}
