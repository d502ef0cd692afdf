/** The thread for a check against a foreign JSON Schema that may take long: it can be ended. */
import type { Json, JsonObject } from "../core/json.ts";
import { compileSchema, type SchemaDraft, SchemaError } from "../lib/json_schema.ts";

export interface SchemaQuestion {
  readonly schema: JsonObject;
  readonly draft: SchemaDraft;
  readonly root: string;
  /** Undefined to have only the schema read. */
  readonly value: Json | undefined;
}

export type SchemaVerdict =
  | { readonly problems: readonly string[] }
  /** What the schema cannot be used for. */
  | { readonly fault: string };

const scope = self as unknown as {
  onmessage: (event: MessageEvent<SchemaQuestion>) => void;
  postMessage(message: SchemaVerdict): void;
};

scope.onmessage = ({ data }) => scope.postMessage(verdictOn(data));

function verdictOn({ schema, draft, root, value }: SchemaQuestion): SchemaVerdict {
  try {
    const check = compileSchema(schema, draft, root);
    return { problems: value === undefined ? [] : check(value) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { fault: error.message };
  }
}
