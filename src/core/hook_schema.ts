/** The JSON Schemas of hooks: how they are written, what they get, what they answer. */
import { hookEvents, hookEventTable } from "./hook_events.ts";
import type { JsonObject } from "./json.ts";

/** The value of `hooks` in a settings file. */
export function hooksSchema(): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(hookEvents.map((event) => [event, groupsSchema(event)])),
  };
}

function groupsSchema(event: keyof typeof hookEventTable): JsonObject {
  const { guards, timeoutSeconds } = hookEventTable[event];
  const text = { type: "string" };
  const handler = {
    type: "object",
    required: ["type", "command"],
    properties: {
      type: { enum: ["command", "http", "mcp_tool", "prompt", "agent"] },
      command: { type: "string", minLength: 1 },
      args: { type: "array", items: text },
      shell: { enum: ["bash", "powershell"] },
      timeout: { type: "number", minimum: 0.1, maximum: 3600, default: timeoutSeconds },
      required: guards ? { type: "boolean", default: false } : { const: false },
      async: { type: "boolean", default: false },
      if: text,
      name: text,
      statusMessage: text,
      outside_sandbox: { type: "boolean", default: false },
    },
  };
  const group = {
    type: "object",
    required: ["hooks"],
    properties: { matcher: text, hooks: { type: "array", items: handler } },
  };
  return { type: "array", items: group };
}
