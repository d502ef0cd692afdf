/** The JSON Schema of the commands of RPC mode, made from their table. */
import type { JsonObject } from "../../core/json.ts";
import { attachmentsSchema } from "./attachments.ts";
import { type CommandEntry, commandTable } from "./commands.ts";

/** A line that a client of RPC mode sends. */
export function commandSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A command of nimlet's RPC mode",
    oneOf: commandTable.map(entrySchema),
  };
}

function entrySchema({ name, fields, help }: CommandEntry): JsonObject {
  const properties: JsonObject = {
    id: { type: "string", description: "Comes back in the response." },
    type: { const: name },
  };
  const required = ["id", "type"];
  for (const { name: field, values, isAttachments } of fields) {
    const key = field.replace(/\?$/, ""), isOptional = key !== field;
    properties[key] = isAttachments
      ? attachmentsSchema()
      : values
      ? { enum: isOptional ? [...values, null] : [...values] }
      : { type: isOptional ? ["string", "null"] : "string", pattern: "\\S" };
    if (!isOptional) required.push(key);
    const camelCase = key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    if (camelCase !== key) properties[camelCase] = false;
  }
  properties.permissions = {
    const: "ask",
    description: "From here on tool calls that need permission ask with approval_required.",
  };
  return { type: "object", description: help, properties, required };
}
