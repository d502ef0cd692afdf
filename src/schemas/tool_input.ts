/** The arguments of a tool whose schema is foreign. */
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { InputShape } from "../core/tool.ts";
import { withPlainNumbers } from "../lib/exact_numbers.ts";
import { adaptSchema } from "./adapt_schema.ts";
import type { BoundedCheck } from "./bounded_check.ts";

/** What a model is shown of `schema`; arguments are checked in full by `checked`. */
export function toolInput(schema: JsonObject, checked: BoundedCheck): InputShape<JsonObject> {
  let adapted: JsonObject | undefined;
  return {
    get jsonSchema() {
      return adapted ??= adaptSchema(schema);
    },
    async parse(raw, signal) {
      if (!isJsonObject(raw)) return { problems: ["arguments: expected object"] };
      const verdict = await checked.check(withPlainNumbers(raw), signal);
      // faults that were hidden from the look at the schema's text refuse every call, and say why
      if ("fault" in verdict) return { problems: [`input_schema: ${verdict.fault}`] };
      return verdict.problems.length > 0 ? verdict : { input: raw };
    },
  };
}
