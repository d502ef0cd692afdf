/** Shapes of arguments made from zod schemas, which the hand-made ones are compared with. */
import type { Json, JsonObject } from "../../src/core/json.ts";
import { z } from "../../src/core/schema.ts";
import type { InputShape } from "../../src/core/tool.ts";

/** The shape of arguments that `schema` describes; unknown keys are refused by name. */
export function shapeOf<Schema extends z.ZodType>(schema: Schema): InputShape<z.output<Schema>> {
  let jsonSchema: JsonObject | undefined;
  return {
    get jsonSchema() {
      return jsonSchema ??= toJsonSchema(schema);
    },
    parse(raw: Json) {
      const result = schema.safeParse(raw);
      return Promise.resolve(
        result.success ? { input: result.data } : { problems: result.error.issues.map(problemOf) },
      );
    },
  };
}

/** The JSON Schema sent to providers: draft-07, without `$schema`, which some refuse. */
export function toJsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-07",
    override: ({ jsonSchema }) => {
      // Bounds that say nothing but how numbers are kept: not worth a request's bytes.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return rest as JsonObject;
}

function problemOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((key, index) =>
    typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`
  ).join("");
  return `${path || "arguments"}: ${describe(issue)}`;
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected === "int" ? "integer" : issue.expected}`;
    case "unrecognized_keys":
      return `unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "expected a non-empty string"
        : `expected at least ${issue.minimum}`;
    case "too_big":
      return `expected at most ${issue.maximum}`;
    case "invalid_value":
      return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return issue.message;
  }
}
