/** The commands of RPC mode: names, fields, and how a line is read. */
import { messageOf } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { thinkingLevels } from "../../core/model.ts";
import { nearest } from "../../lib/nearest.ts";
import { attachmentsProblem } from "./attachments.ts";

export interface CommandField {
  /** `?` marks optional ones. */
  readonly name: string;
  /** The texts that it may be; any where there are none. */
  readonly values?: readonly string[];
  /** Not a text, but a list of files. */
  readonly isAttachments?: true;
}

export interface CommandEntry {
  readonly name: string;
  /** Fields besides `id` and `type`. */
  readonly fields: readonly CommandField[];
  readonly help: string;
  /** `long`: others are read meanwhile, and wait. `urgent`: does not wait for one that takes long. */
  readonly pace?: "long" | "urgent";
}

const message = { name: "message" };
const attachments = { name: "attachments?", isAttachments: true } as const;
const queueMode = { name: "mode", values: ["one-at-a-time", "all"] };

export const commandTable = [
  {
    name: "prompt",
    fields: [
      message,
      attachments,
      { name: "streaming_behavior?", values: ["steer", "follow_up"] },
    ],
    help: "Run a prompt. While one is running, streaming_behavior says where this one goes.",
  },
  {
    name: "steer",
    fields: [message, attachments],
    help: "Input that enters after the next tool results; a prompt where none is running.",
  },
  {
    name: "follow_up",
    fields: [message, attachments],
    help: "Input that enters when the run would end; a prompt where none is running.",
  },
  { name: "get_state", fields: [], help: "The state alone." },
  {
    name: "set_steering_mode",
    fields: [queueMode],
    help: "How many steering inputs enter at once.",
  },
  { name: "set_follow_up_mode", fields: [queueMode], help: "How many follow-ups enter at once." },
  { name: "clear_queue", fields: [], help: "Drop all queued input." },
  {
    name: "interrupt",
    fields: [],
    help: "Stop the running prompt, or the command that takes long; session and queue are kept.",
    pace: "urgent",
  },
  {
    name: "set_mode",
    fields: [{ name: "mode", values: ["act", "plan"] }],
    help: "Switch between act and plan mode.",
  },
  {
    name: "approve",
    fields: [
      { name: "request_id" },
      { name: "answer", values: ["once", "session", "project", "deny"] },
    ],
    help: 'Answer an approval_required record; those come where a command said permissions: "ask".',
    pace: "urgent",
  },
  {
    name: "set_model",
    fields: [{ name: "model" }, { name: "provider?" }],
    help: "Change the model, from the next prompt on; the server is asked whether it knows it.",
    pace: "long",
  },
  {
    name: "set_thinking",
    fields: [{ name: "level", values: [...thinkingLevels, "default"] }],
    help: "How much the model thinks, from the next request on.",
  },
  {
    name: "list_models",
    fields: [{ name: "provider?" }],
    help: "The models that the server of the provider offers; the current provider's without one.",
    pace: "long",
  },
  {
    name: "new_session",
    fields: [{ name: "name?" }],
    help: "Begin a new session; not while a prompt is running.",
    pace: "long",
  },
  {
    name: "switch_session",
    fields: [{ name: "session_id" }],
    help: "Continue the session of that id, start of id, or name; not while a prompt is running.",
    pace: "long",
  },
  { name: "list_sessions", fields: [], help: "The workspace's sessions, last used first." },
  { name: "get_stats", fields: [], help: "Tokens, cost and size of the session." },
  {
    name: "compact",
    fields: [{ name: "instruction?" }],
    help: "Summarise older messages now; not while a prompt is running.",
    pace: "long",
  },
  { name: "list_tools", fields: [], help: "The tools of the mode, with origin and schema." },
  {
    name: "reload",
    fields: [],
    help: "Read settings, tools, skills and templates again; not while a prompt is running.",
    pace: "long",
  },
  {
    name: "undo",
    fields: [],
    help: "Take back what edit and write changed in the last turn that changed files.",
  },
  {
    name: "shutdown",
    fields: [],
    help: "End the running prompt and the program.",
    pace: "urgent",
  },
] as const satisfies readonly CommandEntry[];

export type CommandName = typeof commandTable[number]["name"];

export interface Command {
  readonly id: string;
  readonly name: CommandName;
  readonly fields: JsonObject;
  readonly pace?: CommandEntry["pace"];
  /** Of its line. */
  readonly length: number;
}

export interface BadCommand {
  /** Empty where the line had none. */
  readonly id: string;
  readonly command?: string;
  readonly error: string;
}

/** One line as a command, or what is wrong with it. */
export function readCommand(line: string): Command | BadCommand {
  let value: Json;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { id: "", error: `expected one JSON object a line: ${messageOf(error)}` };
  }
  if (!isJsonObject(value)) return { id: "", error: "expected one JSON object a line" };
  const { id, type } = value;
  if (typeof id !== "string") return { id: "", error: "id: expected string" };
  if (typeof type !== "string") return { id, error: "type: expected the name of a command" };
  const entry = commandTable.find((candidate) => candidate.name === type);
  if (!entry) {
    const names = commandTable.map(({ name }) => name);
    const guess = nearest(type, names);
    return {
      id,
      command: type,
      error: `type: there is no command ${JSON.stringify(type)}${
        guess ? ` (did you mean ${guess}?)` : ""
      }; the commands are ${names.join(", ")}`,
    };
  }
  const error = fieldProblem(entry, value);
  if (error !== undefined) return { id, command: type, error };
  const { name, pace }: { name: CommandName; pace?: CommandEntry["pace"] } = entry;
  return { id, name, fields: value, length: line.length, ...(pace === undefined ? {} : { pace }) };
}

function fieldProblem(entry: CommandEntry, value: JsonObject): string | undefined {
  const { permissions } = value;
  if (permissions !== undefined && permissions !== "ask") {
    return `permissions: expected ask, found ${JSON.stringify(permissions)}`;
  }
  const keys = entry.fields.map(({ name }) => name.replace(/\?$/, ""));
  for (const found of Object.keys(value)) {
    const spelled = found.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (found !== spelled && keys.includes(spelled)) {
      return `${found}: expected snake_case: ${spelled}`;
    }
  }
  for (const { name, values, isAttachments } of entry.fields) {
    const optional = name.endsWith("?");
    const key = optional ? name.slice(0, -1) : name;
    const found = value[key];
    if (optional && (found === undefined || found === null)) continue;
    if (isAttachments) {
      const problem = attachmentsProblem(found);
      if (problem !== undefined) return `${key}${problem}`;
      continue;
    }
    if (typeof found !== "string") return `${key}: expected string`;
    if (values && !values.includes(found)) {
      return `${key}: expected ${values.join(" or ")}, found ${JSON.stringify(found)}`;
    }
    if (values === undefined && found.trim() === "") return `${key}: expected text, found none`;
  }
  return undefined;
}
