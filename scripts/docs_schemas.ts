/** The schema files in docs/schemas: what the program itself hands out, under file names. */
import { schemas } from "../src/app/schemas.ts";
import type { JsonObject } from "../src/core/json.ts";

/** JSON Schemas by file name. */
export function renderSchemas(): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(schemas()).map(([name, schema]) => [`${name}.schema.json`, schema]),
  );
}
