/** The JSON Schema of what `--doctor` says to programs. */
import type { DoctorReport } from "../core/doctor_report.ts";
import type { JsonObject } from "../core/json.ts";
import { z } from "../core/schema.ts";

/** A field for each of `DoctorReport`, which the type checker sees to. */
const fields = {
  ok: z.boolean().describe("Whether a run could start; exit status 0 or 1."),
  provider: z.string().nullable()
    .describe("Null where the settings cannot be used, or name no provider that is known."),
  model: z.string().nullable(),
  endpoint: z.string().nullable().describe("Without credentials and query."),
  config: z.array(z.object({
    path: z.string(),
    scope: z.enum(["user", "project"]),
    state: z.enum(["read", "untrusted"]),
  })).describe("The files of settings that exist."),
  sandbox: z.object({
    mode: z.string(),
    net: z.string(),
    lines: z.array(z.tuple([z.string(), z.string()])).describe("Name and text of each line."),
  }).nullable().describe("Where commands run; null without one."),
  mcp_servers: z.array(z.object({
    name: z.string(),
    scope: z.enum(["user", "project"]),
    file: z.string(),
    transport: z.enum(["stdio", "http"]),
    target: z.string().describe("Command or address, without what may be secret."),
    startup_timeout_seconds: z.number(),
    call_timeout_seconds: z.number(),
    required: z.boolean(),
    tools_listed_at: z.string().nullable().describe("When the remembered list was made."),
  })).describe("The MCP servers that are named; none is started."),
  hooks: z.array(z.object({
    event: z.string(),
    matcher: z.string().describe("Empty for all."),
    name: z.string(),
    command: z.string().describe("With its arguments, as it is written."),
    file: z.string(),
    scope: z.enum(["user", "project"]),
    required: z.boolean(),
    async: z.boolean(),
  })).describe("The hooks in their order; none is run."),
  extensions: z.array(z.object({
    name: z.string(),
    scope: z.enum(["user", "project"]),
    folder: z.string(),
    command: z.array(z.string()),
    guards: z.boolean(),
  })).describe("The extensions that would be started."),
  settings_saved_to: z.string().nullable().describe("The config.json that settings are saved to."),
  key_source: z.string().nullable().describe("A variable, file or flag; never the key itself."),
  key_variables: z.array(z.string()).describe("The variables that may hold the provider's key."),
  compiled_code: z.enum(["used", "refused", "none"]),
  warnings: z.array(z.string()),
  problem: z.string().nullable().describe("What keeps a run from starting."),
  tests: z.array(z.object({ ok: z.boolean(), text: z.string() })).optional()
    .describe("With `test`: what the model and each MCP server came to."),
  next: z.string().describe("What to do next."),
} satisfies Record<keyof DoctorReport, unknown>;

export function doctorSchema(): JsonObject {
  return {
    ...z.toJSONSchema(z.object(fields)) as JsonObject,
    title: "What nimlet --doctor --mode json prints",
  };
}
