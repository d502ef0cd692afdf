/** What each event is about, gives to a hook, and takes from it: for the schema and the docs. */
import type { HookEvent } from "./hook_events.ts";
import type { JsonObject } from "./json.ts";

export interface HookForm {
  /** When it comes. */
  readonly when: string;
  /** What a hook gets beside the common fields. */
  readonly fields: JsonObject;
  /** What exit status 2 does, and `"decision": "block"`. */
  readonly blocks: string;
  /** Which other fields of an answer mean something. */
  readonly answers: readonly AnswerField[];
}

export type AnswerField =
  | "permissionDecision"
  | "updatedInput"
  | "additionalContext"
  | "updatedToolOutput"
  | "continue"
  | "systemMessage"
  | "stdout";

const text = { type: "string" };
const call = {
  tool_name: { ...text, description: "the shown name: `Bash`, `Edit`, `mcp__server__tool`" },
  tool_input: { type: "object", description: "the arguments, as the next table has them" },
  tool_use_id: { ...text, description: "the call's id, as in events" },
};
const result = {
  ...call,
  tool_response: { type: "object", description: "the result, as the next table has it" },
  duration_ms: { type: "number", description: "how long the tool ran" },
};
const trigger = { enum: ["manual", "auto"], description: "`/compact`, or a full context" };

export const hookForms: Readonly<Record<HookEvent, HookForm>> = {
  SessionStart: {
    when: "a session begins; started with the program, awaited before the first request",
    fields: {
      source: { enum: ["startup", "resume", "clear", "fork", "compact"] },
      model: { ...text, description: "the model's id" },
    },
    blocks: "stderr is shown to the person; a required hook keeps nimlet from sending anything",
    answers: ["additionalContext", "stdout", "systemMessage"],
  },
  UserPromptSubmit: {
    when: "a person or a client has sent a prompt, a steer or a follow-up",
    fields: { prompt: { ...text, description: "as typed, piped text before it" } },
    blocks: "the prompt is not sent and not kept",
    answers: ["additionalContext", "stdout", "continue", "systemMessage"],
  },
  PreToolUse: {
    when: "before a call, and before its permission question",
    fields: call,
    blocks: "the call is denied; stderr is the reason that the model gets",
    answers: [
      "permissionDecision",
      "updatedInput",
      "additionalContext",
      "continue",
      "systemMessage",
    ],
  },
  PostToolUse: {
    when: "a call ran and ended well",
    fields: result,
    blocks: "the model gets stderr behind the result",
    answers: ["additionalContext", "updatedToolOutput", "continue", "systemMessage"],
  },
  PostToolUseFailure: {
    when: "a call ran and failed, or a command ended with another status than 0",
    fields: {
      ...result,
      error: { ...text, description: "`Exit code 1` and the output, or the failure" },
      is_interrupt: { type: "boolean", description: "a person, a signal or a limit ended it" },
    },
    blocks: "the model gets stderr behind the result",
    answers: ["additionalContext", "updatedToolOutput", "continue", "systemMessage"],
  },
  Notification: {
    when: "a permission question is put to a person; never waited for",
    fields: {
      notification_type: { const: "permission_prompt" },
      message: { ...text, description: "one sentence with the tool's name" },
    },
    blocks: "nothing",
    answers: ["systemMessage"],
  },
  Stop: {
    when: "the model would end well, and nothing waits in the queue",
    fields: {
      stop_hook_active: {
        type: "boolean",
        description: "true once a hook has sent the model on within this prompt",
      },
      last_assistant_message: text,
    },
    blocks: "the model goes on, with stderr as its next message",
    answers: ["continue", "systemMessage"],
  },
  StopFailure: {
    when: "the run failed or reached a limit; not for an interrupt",
    fields: {
      error: { ...text, description: "the code, as in `error` events" },
      error_details: { ...text, description: "the sentence" },
      last_assistant_message: text,
    },
    blocks: "nothing",
    answers: ["systemMessage"],
  },
  PreCompact: {
    when: "older messages are about to be summarised",
    fields: {
      trigger,
      custom_instructions: { ...text, description: "what was typed behind `/compact`" },
    },
    blocks: "nothing is summarised",
    answers: ["systemMessage"],
  },
  PostCompact: {
    when: "older messages were summarised",
    fields: { trigger, compact_summary: text },
    blocks: "nothing",
    answers: ["systemMessage"],
  },
  SessionEnd: {
    when: "a session ends, in every front end; 1.5 s in all after a signal",
    fields: { reason: { enum: ["clear", "resume", "prompt_input_exit", "other"] } },
    blocks: "nothing",
    answers: ["systemMessage"],
  },
};

/** The fields of every event. */
export const commonHookFields: JsonObject = {
  session_id: text,
  transcript_path: {
    type: ["string", "null"],
    description: "the session's file, in nimlet's own form; null where it is not kept",
  },
  cwd: { ...text, description: "the workspace" },
  permission_mode: {
    enum: ["plan", "bypassPermissions", "dontAsk", "default"],
    description: "plan mode; calls run unasked; `--ask deny`; questions are put",
  },
  hook_event_name: text,
  nimlet: {
    type: "object",
    description: "what only nimlet has, as far as the event has it",
    properties: {
      version: { const: 1 },
      mode: { enum: ["act", "plan"] },
      front: { enum: ["console", "print", "json", "rpc"] },
      run_id: text,
      turn_id: text,
      step: { type: "integer", description: "number of the model request" },
      tool: { ...text, description: "nimlet's own name of the tool" },
      arguments: { type: "object", description: "nimlet's own arguments" },
      capabilities: { type: "array", items: text },
      origin: { type: "object", description: "where the tool comes from" },
      images: { type: "integer", description: "how many images the result holds" },
      source: { enum: ["typed", "flag", "rpc"], description: "where the prompt comes from" },
      message: { ...text, description: "the prompt with templates and skills in place" },
      mentions: { type: "array", items: text, description: "files that it attaches" },
    },
    required: ["version", "mode", "front"],
  },
};

/** An answer's fields, each with what it does. */
export const hookAnswerFields: JsonObject = {
  hookSpecificOutput: {
    type: "object",
    properties: {
      hookEventName: { ...text, description: "not looked at" },
      permissionDecision: {
        enum: ["deny", "ask", "allow", "defer"],
        description: "PreToolUse: see Permissions; `defer` counts as `ask`",
      },
      permissionDecisionReason: { ...text, description: "the reason of it" },
      updatedInput: {
        type: "object",
        description: "PreToolUse: the whole new `tool_input`",
      },
      additionalContext: {
        ...text,
        description: "text for the model, behind the result or the message",
      },
      updatedToolOutput: {
        description: "PostToolUse, PostToolUseFailure: a text, or `{stdout, stderr}`, that takes " +
          "the result's place",
        anyOf: [text, { type: "object" }],
      },
    },
  },
  decision: {
    enum: ["block", "deny", "ask", "defer", "approve", "allow"],
    description: "the old form: `block` is exit status 2 with `reason`",
  },
  reason: { ...text, description: "of `decision`" },
  continue: {
    type: "boolean",
    description: "false: the run ends after this call, as failed; in `Stop` it ends well",
  },
  stopReason: { ...text, description: "of `continue: false`" },
  systemMessage: { ...text, description: "a line for the person, 2 KiB at most" },
  suppressOutput: { type: "boolean", description: "ignored: output is never shown" },
  nimlet: {
    type: "object",
    description: "the same in nimlet's own form; goes before the others",
    properties: {
      arguments: { type: "object", description: "PreToolUse: the whole new arguments" },
      output: { ...text, description: "takes the result's place" },
      is_error: { type: "boolean", description: "whether the result is a failure" },
    },
  },
};
