/** The JSON Schemas that the program publishes, each made from what it checks by itself. */
import { authSchema, configSchema } from "../config/config_schema.ts";
import { hookSchema } from "../core/hook_schema.ts";
import type { JsonObject } from "../core/json.ts";
import { sessionRecordSchema } from "../core/record.ts";
import { z } from "../core/schema.ts";
import { manifestShape } from "../extensions/manifest_schema.ts";
import { fromExtension, toExtension } from "../extensions/protocol.ts";
import { manifestSchema } from "../external/manifest.ts";
import { doctorSchema } from "./doctor_schema.ts";
import { recordSchema } from "../front/record_schema.ts";
import { resultJsonSchema } from "../front/result_schema.ts";
import { commandSchema } from "../front/rpc/command_schema.ts";

/** By name: `events` a record of JSON mode, `result` the object of result mode, `rpc` a command, `doctor` what --doctor prints, `session` a line of a session file. */
export function schemas() {
  return {
    config: configSchema(),
    auth: authSchema(),
    doctor: doctorSchema(),
    events: recordSchema(),
    result: resultJsonSchema(),
    rpc: commandSchema(),
    session: {
      ...z.toJSONSchema(sessionRecordSchema) as JsonObject,
      title: "A line of a nimlet session file",
    },
    tool: manifestSchema as JsonObject,
    extension: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "A line between nimlet and an extension",
      oneOf: [
        { ...lineSchema(toExtension), title: "What nimlet writes" },
        { ...lineSchema(fromExtension), title: "What an extension writes" },
      ],
    },
    hook: hookSchema(),
    "extension-manifest": {
      ...z.toJSONSchema(manifestShape, { io: "input" }) as JsonObject,
      title: "The manifest of a nimlet extension, extension.json",
    },
  };
}

function lineSchema(shape: typeof toExtension | typeof fromExtension): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: "input" }) as JsonObject;
  return schema;
}

/** The schema as it is published: indented, with a final newline. */
export function schemaText(name: keyof ReturnType<typeof schemas>): string {
  return `${JSON.stringify(schemas()[name], null, 2)}\n`;
}
