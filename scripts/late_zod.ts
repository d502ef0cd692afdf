/**
 * What stands in the bundle for the schema library inside the SDK packages that most runs use.
 *
 * A package describes at its start all answers that it may get, with the schema library, which takes
 * longer to load than the rest of the start together. Here descriptions are only noted down; the
 * library is loaded, and makes them, when the first answer is there to be checked.
 */
import type * as zod from "zod/v4";

type Zod = typeof zod;
type Schema = zod.ZodType;

class LateSchema {
  // How the SDK packages know a schema.
  readonly _zod = true;
  readonly "~standard" = { vendor: "zod" };
  #made: Schema | undefined;
  readonly #make: (zod: Zod) => Schema;

  constructor(make: (zod: Zod) => Schema) {
    this.#make = make;
  }

  made(zod: Zod): Schema {
    return this.#made ??= this.#make(zod);
  }

  optional = () => new LateSchema((zod) => this.made(zod).optional());
  nullish = () => new LateSchema((zod) => this.made(zod).nullish());
  transform = (change: (value: unknown) => unknown) =>
    new LateSchema((zod) => this.made(zod).transform(change));
}

type Shape = Record<string, LateSchema>;

function shapeIn(zod: Zod, shape: Shape): Record<string, Schema> {
  return Object.fromEntries(Object.entries(shape).map(([key, late]) => [key, late.made(zod)]));
}

export const z = {
  any: () => new LateSchema((zod) => zod.any()),
  array: (item: LateSchema) => new LateSchema((zod) => zod.array(item.made(zod))),
  boolean: () => new LateSchema((zod) => zod.boolean()),
  enum: (words: string[]) => new LateSchema((zod) => zod.enum(words)),
  literal: (word: string) => new LateSchema((zod) => zod.literal(word)),
  looseObject: (shape: Shape) => new LateSchema((zod) => zod.looseObject(shapeIn(zod, shape))),
  number: () => new LateSchema((zod) => zod.number()),
  object: (shape: Shape) => new LateSchema((zod) => zod.object(shapeIn(zod, shape))),
  record: (key: LateSchema, value: LateSchema) =>
    new LateSchema((zod) => zod.record(key.made(zod) as zod.ZodString, value.made(zod))),
  string: () => new LateSchema((zod) => zod.string()),
  union: (options: LateSchema[]) =>
    new LateSchema((zod) => zod.union(options.map((late) => late.made(zod)))),
  unknown: () => new LateSchema((zod) => zod.unknown()),
};

/** The library's own check, of late schemas and of its own. */
export async function safeParseAsync(schema: LateSchema | Schema, value: unknown) {
  const zod = await import("zod/v4");
  return await zod.safeParseAsync(schema instanceof LateSchema ? schema.made(zod) : schema, value);
}

/** The library sets its language itself when it is loaded. */
export const config = () => ({ localeError: true });
export default () => ({});

export function toJSONSchema(): never {
  throw new Error("no JSON Schema is made of the SDK packages' own schemas");
}
