/** The settings of one server of the Model Context Protocol: every key of `mcp.servers.<name>`. */
import type { Setting, ValueOf } from "./settings.ts";

export const mcpServerTable = {
  command: {
    kind: "command",
    description:
      "The program that is the server, then its arguments; no shell parses them. Either this or `url`.",
  },
  env: {
    kind: "variables",
    description:
      "Further variables of its environment; values may be `{env:NAME}` or `{file:path}`.",
  },
  inherit_env: {
    kind: "names",
    description:
      "Variables of nimlet's own environment that it gets, too; `true`: all but the providers' keys.",
  },
  cwd: {
    kind: "path",
    description: "The folder it runs in, instead of the workspace.",
  },
  url: {
    kind: "url",
    description: "The address of a server over Streamable HTTP.",
  },
  headers: {
    kind: "texts",
    description: "Headers added to each request; values may be `{env:NAME}` or `{file:path}`.",
  },
  bearer_token: {
    kind: "secret",
    description: "Sent as `Authorization: Bearer`: itself, `{env:NAME}` or `{file:path}`.",
  },
  bearer_command: {
    kind: "command",
    isPersonal: true,
    description: 'A program that prints that token, as `["gh", "auth", "token"]`.',
  },
  enabled: {
    kind: "boolean",
    description: "`false` leaves the server out.",
  },
  required: {
    kind: "boolean",
    description: "Start it with each run, and fail the run where its tools cannot be had.",
  },
  startup_timeout_seconds: {
    kind: "number",
    min: 1,
    max: 600,
    description: "Seconds for its start and its list of tools together; 30 without it.",
  },
  call_timeout_seconds: {
    kind: "number",
    min: 1,
    max: 86_400,
    description: "Seconds of silence after which a call is given up; 120 without it.",
  },
  tools: {
    kind: "list",
    description:
      "Patterns of its tools that are offered, by the server's own names; all without it.",
  },
  exclude_tools: {
    kind: "list",
    description: "Patterns of its tools that are not offered; overrides `tools`.",
  },
  plan_tools: {
    kind: "list",
    isPersonal: true,
    description: "Patterns of its tools that only read, as you say: they are offered in plan mode.",
  },
  instructions: {
    kind: "boolean",
    isPersonal: true,
    description: "Take the server's instructions into the system prompt.",
  },
} as const satisfies Record<string, Setting>;

export type McpServerValues = {
  readonly [Key in keyof typeof mcpServerTable]?: ValueOf<typeof mcpServerTable[Key]>;
};
