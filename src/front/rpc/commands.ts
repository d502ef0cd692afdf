/** The commands of RPC mode: names, fields, and how a line is read. */
import { messageOf } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { nearest } from "../../lib/nearest.ts";

export interface CommandEntry {
  readonly name: string;
  /** Fields besides `id` and `type`; `?` marks optional ones. */
  readonly fields: readonly { readonly name: string; readonly values?: readonly string[] }[];
  readonly help: string;
}

const message = { name: "message" };
const queueMode = { name: "mode", values: ["one-at-a-time", "all"] };

export const commandTable = [
  {
    name: "prompt",
    fields: [message, { name: "streaming_behavior?", values: ["steer", "follow_up"] }],
    help: "Run a prompt. While one is running, streaming_behavior says where this one goes.",
  },
  {
    name: "steer",
    fields: [message],
    help: "Input that enters after the next tool results; a prompt where none is running.",
  },
  {
    name: "follow_up",
    fields: [message],
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
    help: "Stop the running prompt; the session and the queue are kept.",
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
  },
  { name: "list_tools", fields: [], help: "The tools of the mode, with origin and schema." },
  {
    name: "reload",
    fields: [],
    help: "Read settings, tools, skills and templates again; not while a prompt is running.",
  },
  { name: "shutdown", fields: [], help: "End the running prompt and the program." },
] as const satisfies readonly CommandEntry[];

export type CommandName = typeof commandTable[number]["name"];

export interface Command {
  readonly id: string;
  readonly name: CommandName;
  readonly fields: JsonObject;
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
  return { id, name: entry.name, fields: value };
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
  for (const { name, values } of entry.fields) {
    const optional = name.endsWith("?");
    const key = optional ? name.slice(0, -1) : name;
    const found = value[key];
    if (optional && (found === undefined || found === null)) continue;
    if (typeof found !== "string") return `${key}: expected string`;
    if (values && !values.includes(found)) {
      return `${key}: expected ${values.join(" or ")}, found ${JSON.stringify(found)}`;
    }
    if (key === "message" && found.trim() === "") return "message: expected text, found none";
  }
  return undefined;
}
