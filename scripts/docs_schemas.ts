/** Owns the JSON Schemas of the files that people write and programs read, made from the program's own tables. */
import { authTable, providerTable, type Setting, settingTable } from "../src/config/settings.ts";
import { eventSchema } from "../src/core/event.ts";
import type { Json, JsonObject } from "../src/core/json.ts";
import { manifestSchema } from "../src/external/manifest.ts";
import { sessionRecordSchema } from "../src/session/record_schema.ts";
import { z } from "../src/core/schema.ts";

const draft = "https://json-schema.org/draft/2020-12/schema";

/** JSON Schemas by file name. */
export function renderSchemas(): Record<string, JsonObject> {
  return {
    "config.schema.json": configSchema(),
    "auth.schema.json": {
      $schema: draft,
      title: "nimlet auth.json",
      type: "object",
      properties: { $schema: { type: "string" } },
      additionalProperties: { ...sectionSchema(authTable), required: ["key"] },
    },
    "events.schema.json": eventsSchema(),
    "session.schema.json": {
      ...z.toJSONSchema(sessionRecordSchema) as JsonObject,
      title: "A line of a nimlet session file",
    },
    "tool.schema.json": manifestSchema,
  };
}

function configSchema(): JsonObject {
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
    case "texts":
      return { type: "object", additionalProperties: { type: "string" } };
  }
}

/** The records of JSON mode: the events with what every record carries. */
function eventsSchema(): JsonObject {
  const { oneOf, ...rest } = z.toJSONSchema(eventSchema) as JsonObject;
  const envelope: JsonObject = {
    version: { const: 1 },
    session_id: { type: "string" },
    run_id: { type: "string" },
    turn_id: { type: "string" },
  };
  return {
    ...rest,
    title: "A record of nimlet's JSON mode, version 1",
    oneOf: (oneOf as Json[]).map((variant) => {
      const { properties, required, ...others } = variant as JsonObject;
      return {
        ...others,
        properties: { ...envelope, ...properties as JsonObject },
        required: ["version", ...required as string[]],
      };
    }),
  };
}
