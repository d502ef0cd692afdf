/** Fills in the references of a foreign JSON Schema, with bounds on what they add. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { decodePointer } from "../lib/json_pointer.ts";

/** A schema that grows beyond this by filling in references is cut: any value is allowed there. */
const maxSchemas = 4000;
/** Beyond it keywords are left out: an enumeration, say, that very many references lead to. */
const maxCharacters = 4 * 1024 * 1024;
/** Schemas within one another, and references that lead on to references. */
export const maxLevels = 200;

export interface Work {
  readonly root: JsonObject;
  /** The parts of the schema that carry a name of their own. */
  readonly names: () => ReadonlyMap<string, JsonObject>;
  /** What is left of the bounds. */
  readonly room: { schemas: number; characters: number };
}

export interface Position extends Work {
  /** References that are being filled in: meeting one again ends the descent. */
  readonly open: readonly string[];
  readonly level: number;
}

export function workOn(schema: JsonObject): Work {
  return {
    root: schema,
    names: namesIn(schema),
    room: { schemas: maxSchemas, characters: maxCharacters },
  };
}

/** Takes the room for `value` where there is any left. */
export function hasRoomFor(value: Json, room: Work["room"]): boolean {
  room.characters -= sizeOf(value);
  return room.characters > 0;
}

/** Of objects that are sent again and again. */
const sizes = new WeakMap<object, number>();

function sizeOf(value: Json): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  const size = sizes.get(value) ?? JSON.stringify(value).length;
  sizes.set(value, size);
  return size;
}

/** `schema` with the target of its reference under its own keywords. */
export function filledIn(schema: JsonObject, { root, names, open, room }: Position): JsonObject {
  let current = schema;
  const seen = [...open];
  while (typeof current.$ref === "string") {
    const { $ref, ...own } = current;
    const ends = seen.includes($ref) || seen.length > maxLevels || room.schemas <= 0;
    const target = ends ? undefined : resolve($ref, root, names);
    seen.push($ref);
    if (isJsonObject(target)) room.characters -= Object.keys(target).length;
    current = isJsonObject(target) && room.characters > 0 ? { ...target, ...own } : own;
  }
  return current;
}

const maxReference = 1024;

/** The part of `root` that a reference within it points to. */
function resolve(reference: string, root: JsonObject, names: Work["names"]): Json | undefined {
  if (reference === "#" || reference === root.$id) return root;
  if (reference.length > maxReference) return undefined;
  const fragment = reference.slice(reference.indexOf("#") + 1);
  if (!reference.includes("#")) return names().get(reference);
  if (!fragment.startsWith("/")) return names().get(`#${fragment}`);
  let current: Json | undefined = root;
  for (const part of fragment.slice(1).split("/")) {
    const key = decodePointer(part);
    if (Array.isArray(current)) current = current[Number(key)];
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

/** By `#` and its anchor, or by its address, what is named first under a name; looked for once. */
function namesIn(schema: JsonObject): Work["names"] {
  let found: Map<string, JsonObject> | undefined;
  return () => {
    if (found !== undefined) return found;
    const names = found = new Map<string, JsonObject>();
    const open: Json[] = [schema];
    while (open.length > 0) {
      const part = open.pop()!;
      if (typeof part !== "object" || part === null) continue;
      if (isJsonObject(part)) {
        const { $anchor, $id } = part;
        if (typeof $anchor === "string" && !names.has(`#${$anchor}`)) {
          names.set(`#${$anchor}`, part);
        }
        if (typeof $id === "string" && !names.has($id)) names.set($id, part);
      }
      for (const value of Object.values(part).reverse()) open.push(value);
    }
    return names;
  };
}
