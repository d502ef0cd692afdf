/** Arguments that a tool wants as headers, too, over HTTP: what its schema marks with `x-mcp-header`. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { headerText } from "./http_transport.ts";

const mark = "x-mcp-header";

export interface HeaderParameter {
  readonly header: string;
  /** The keys that lead to the argument. */
  readonly path: readonly string[];
}

/** The marked arguments of a schema, or what is wrong with a mark. */
export function headerParameters(
  schema: JsonObject,
): { readonly parameters: readonly HeaderParameter[] } | { readonly problem: string } {
  const parameters: HeaderParameter[] = [];
  if (!JSON.stringify(schema).includes(`"${mark}"`)) return { parameters };
  let reachable = 0;
  const visit = (part: JsonObject, path: readonly string[]): string | undefined => {
    for (
      const [key, value] of Object.entries(isJsonObject(part.properties) ? part.properties : {})
    ) {
      if (!isJsonObject(value)) continue;
      const inner = [...path, key], where = `inputSchema.properties.${inner.join(".properties.")}`;
      if (Object.hasOwn(value, mark)) {
        reachable++;
        const name = value[mark];
        if (typeof name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
          return `${where}.${mark}: expected the name of a header`;
        }
        if (!["string", "integer", "boolean"].includes(String(value.type))) {
          return `${where}.${mark}: expected a string, an integer or a boolean as type`;
        }
        const header = `mcp-param-${name.toLowerCase()}`;
        if (parameters.some((other) => other.header === header)) {
          return `${where}.${mark}: ${JSON.stringify(name)} is used twice`;
        }
        parameters.push({ header, path: inner });
      }
      const problem = visit(value, inner);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const problem = visit(schema, []);
  if (problem !== undefined) return { problem };
  return marksIn(schema) > reachable
    ? { problem: `inputSchema: ${mark} is used where no argument is` }
    : { parameters };
}

function marksIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + (key === mark && typeof inner === "string" ? 1 : marksIn(inner)),
    0,
  );
}

/** The headers of one call. */
export function parameterHeaders(
  parameters: readonly HeaderParameter[],
  input: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of parameters) {
    let value: Json | undefined = input;
    for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
    if (value !== undefined && value !== null) headers[header] = headerText(String(value));
  }
  return headers;
}
