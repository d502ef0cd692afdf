/** One line of an extension's standard output, as far as it can be told before its fields are looked at. */
import { isJsonObject, type Json, type JsonObject, parseJson } from "../core/json.ts";
import type { SplitLine } from "../lib/jsonl.ts";

export type ReadLine =
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "blank" }
  /** No JSON object. */
  | { readonly kind: "stray" }
  /** `ids` are those that its first and last bytes name. */
  | { readonly kind: "too long"; readonly bytes: number; readonly ids: readonly string[] };

export function readLine(line: SplitLine): ReadLine {
  if ("tooLong" in line) return { kind: "too long", bytes: line.tooLong, ids: idsIn(line.edges) };
  const { bytes } = line;
  if (bytes.every((byte) => blanks.includes(byte))) return { kind: "blank" };
  const value = beginsObject(bytes) ? parseJson(decoder.decode(bytes)) : undefined;
  return isJsonObject(value) ? { kind: "object", value } : { kind: "stray" };
}

const freeFields = ["arguments", "entry", "messages"];

/** `message`, which was read from `value`, with what may hold anything as it was written. */
export function withFreeFields<Message extends object>(
  message: Message,
  value: JsonObject,
): Message {
  const free = freeFields.filter((key) => key in message);
  if (free.length === 0) return message;
  return { ...message, ...Object.fromEntries(free.map((key) => [key, value[key] as Json])) };
}

const decoder = new TextDecoder();
const blanks: readonly number[] = [9, 13, 32];

/** Whether it may be an object; quickly, as anything may come. A byte order mark may stand before it. */
function beginsObject(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (blanks.includes(bytes[at] ?? 0)) at++;
  return bytes[at] === 0x7b;
}

function idsIn(edges: readonly Uint8Array[]): string[] {
  return edges.flatMap((edge) => {
    const found = /"id"\s*:\s*"([A-Za-z0-9_.:-]{1,64})"/.exec(decoder.decode(edge))?.[1];
    return found === undefined ? [] : [found];
  });
}
