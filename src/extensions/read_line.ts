/** One line of an extension's standard output, as far as it can be told before its fields are looked at. */
import { isDeeper, isJsonObject, type JsonObject, maxJsonLevels, parseJson } from "../core/json.ts";
import type { SplitLine } from "../lib/jsonl.ts";

export type ReadLine =
  /** `isDeep`: checks and texts of it would go deeper than is wise. */
  | { readonly kind: "object"; readonly value: JsonObject; readonly isDeep: boolean }
  | { readonly kind: "blank" }
  /** No JSON object. */
  | { readonly kind: "stray" }
  /** `ids` are those that its first and last bytes name. */
  | { readonly kind: "too long"; readonly bytes: number; readonly ids: readonly string[] };

export function readLine(line: SplitLine): ReadLine {
  if ("tooLong" in line) return { kind: "too long", bytes: line.tooLong, ids: idsIn(line.edges) };
  const { bytes } = line;
  const start = startOf(bytes);
  if (start === bytes.length) return { kind: "blank" };
  // quickly, as anything may come in any number
  if (bytes[start] !== 0x7b) return { kind: "stray" };
  const value = parseJson(decoder.decode(bytes));
  if (!isJsonObject(value)) return { kind: "stray" };
  const isDeep = bytes.length > 2 * maxJsonLevels && isDeeper(value, maxJsonLevels);
  return { kind: "object", value, isDeep };
}

/** True for a line that says nothing but a new state, of which there may be very many. */
export function isStateAlone(
  value: JsonObject,
): value is { status: { key: string; text: string } } {
  const { type, status } = value;
  return type === "update" && isJsonObject(status) && Object.keys(value).length === 2 &&
    typeof status.key === "string" && typeof status.text === "string";
}

const decoder = new TextDecoder();

/** Where it begins, after blanks and a byte order mark. */
function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 13) at++;
  return at;
}

function idsIn(edges: readonly Uint8Array[]): string[] {
  return edges.flatMap((edge) => {
    const found = /"id"\s*:\s*"([A-Za-z0-9_.:-]{1,64})"/.exec(decoder.decode(edge))?.[1];
    return found === undefined ? [] : [found];
  });
}
