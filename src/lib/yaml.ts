/** The one import of the YAML library; load this file only where YAML must be read. */
import { parseDocument } from "yaml";

export type YamlMap =
  | { readonly kind: "map"; readonly values: ReadonlyMap<string, unknown> }
  /** `line` counts from 1. */
  | { readonly kind: "invalid"; readonly line: number; readonly message: string };

/** Reads a YAML document that is a mapping at its top. Aliases are bounded; nothing is executed. */
export function readYamlMap(text: string): YamlMap {
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: true });
  const error = document.errors[0];
  if (error !== undefined) {
    const message = error.message.split("\n")[0] ?? "";
    return {
      kind: "invalid",
      line: error.linePos?.[0].line ?? 1,
      message: message.replace(/ at line \d+, column \d+:?$/, ""),
    };
  }
  try {
    const value: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 100 });
    if (value === null) return { kind: "map", values: new Map() };
    if (!(value instanceof Map)) return { kind: "invalid", line: 1, message: "not a mapping" };
    return { kind: "map", values: new Map([...value].map(([key, item]) => [String(key), item])) };
  } catch (thrown) {
    // The library throws a ReferenceError for aliases that are unknown or multiply without end.
    if (thrown instanceof ReferenceError) {
      return { kind: "invalid", line: 1, message: thrown.message };
    }
    throw thrown;
  }
}
