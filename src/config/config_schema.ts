/** The JSON Schemas of the settings files, made from the tables that reading uses. */
import type { JsonObject } from "../core/json.ts";
import { hooksSchema } from "../core/hook_schema.ts";
import { mcpServerTable } from "./mcp_table.ts";
import { authTable, providerTable, type Setting, settingTable } from "./settings.ts";

const draft = "https://json-schema.org/draft/2020-12/schema";

/** The schema of config.json. */
export function configSchema(): JsonObject {
  const root: JsonObject = sectionSchema({});
  for (const [name, setting] of Object.entries(settingTable)) {
    const keys = name.split(".");
    let section = root;
    for (const key of keys.slice(0, -1)) {
      const properties = section.properties as JsonObject;
      section = (properties[key] ??= sectionSchema({})) as JsonObject;
    }
    (section.properties as JsonObject)[keys.at(-1)!] = valueSchema(setting);
  }
  const properties = root.properties as JsonObject;
  const mcp = (properties.mcp as JsonObject).properties as JsonObject;
  mcp.servers = { type: "object", additionalProperties: sectionSchema(mcpServerTable) };
  return {
    $schema: draft,
    title: "nimlet config.json",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...properties,
      providers: { type: "object", additionalProperties: sectionSchema(providerTable) },
    },
  };
}

/** The schema of auth.json. */
export function authSchema(): JsonObject {
  return {
    $schema: draft,
    title: "nimlet auth.json",
    type: "object",
    properties: { $schema: { type: "string" } },
    additionalProperties: { ...sectionSchema(authTable), required: ["key"] },
  };
}

function sectionSchema(settings: Record<string, Setting>): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(settings).map(([key, setting]) => [key, valueSchema(setting)]),
    ),
  };
}

function valueSchema(setting: Setting): JsonObject {
  return {
    description: setting.description,
    ...typeSchema(setting),
    ...setting.default === undefined ? {} : { default: setting.default },
  };
}

function typeSchema(setting: Setting): JsonObject {
  switch (setting.kind) {
    case "text":
    case "path":
      return { type: "string", minLength: 1 };
    case "secret":
      return { type: "string" };
    case "url":
      return { type: "string", pattern: "^[hH][tT][tT][pP][sS]?://" };
    case "boolean":
      return { enum: [true, false, "true", "false"] };
    case "choice":
      return { enum: [...setting.choices!] };
    case "integer":
    case "number":
      return {
        type: [setting.kind, "string"],
        minimum: setting.min!,
        maximum: setting.max!,
        pattern: "^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*$",
      };
    case "object":
      return { type: "object" };
    case "hooks":
      return hooksSchema();
    case "list":
      return { type: "array", items: { type: "string", minLength: 1 } };
    case "command":
      return { type: "array", minItems: 1, items: { type: "string" } };
    case "names":
      return {
        anyOf: [{ const: true }, { type: "array", items: { type: "string", minLength: 1 } }],
      };
    case "hosts":
      return { type: ["string", "array"], items: { type: "string", minLength: 1 } };
    case "texts":
    case "variables":
      return { type: "object", additionalProperties: { type: "string" } };
  }
}
