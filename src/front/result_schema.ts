/** The JSON Schema of the object of result mode. */
import { statusSchema, usageSchema } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunResult } from "../core/run_result.ts";
import { z } from "../core/schema.ts";

const count = z.int().min(0);

/** A field for each of `RunResult`, which the type checker sees to. */
const fields = {
  version: z.literal(1),
  type: z.literal("result"),
  answer: z.string().nullable().describe("The final answer, also one that a limit cut off."),
  status: statusSchema,
  exit_code: z.int().min(0).max(255).describe("The exit status of the program."),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  session_id: z.string().nullable().describe("For --session, unless --no-session was given."),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  usage: usageSchema,
  cost_usd: z.number().nullable().describe("As in usage; null where prices are not known."),
  duration_ms: z.number().min(0),
  steps: count.describe("Model requests."),
  denials: count.describe("Tool calls that were refused for want of permission."),
  files_changed: z.array(z.string())
    .describe("Paths within the workspace, of edit and write; not what commands changed."),
} satisfies Record<keyof RunResult, unknown>;

export const resultSchema = z.object(fields);

export function resultJsonSchema(): JsonObject {
  return {
    ...z.toJSONSchema(resultSchema) as JsonObject,
    title: "The object of nimlet's result mode, version 1",
  };
}
