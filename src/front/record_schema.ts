/** The JSON Schema of the records of JSON mode, made from the union of events. */
import { eventSchema } from "../core/event.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { z } from "../core/schema.ts";

/** A record of JSON mode: an event with what every record carries. */
export function recordSchema(): JsonObject {
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
