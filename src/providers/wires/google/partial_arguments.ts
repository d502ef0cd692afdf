/** Arguments of a call that come in pieces, each with its JSON path (`$.hunks[0].text`). */
import type { PartialArg } from "@google/genai";
import { isJsonObject, type Json, type JsonObject, maxJsonLevels } from "../../../core/json.ts";

export interface PartialArguments {
  /** Takes one piece. Returns what is wrong with it, to complete "the answer ...". */
  add(piece: Json): string | undefined;
  text(): string;
}

export function partialArguments(): PartialArguments {
  const root = emptyObject();
  return {
    add: (piece) => {
      const { jsonPath } = isJsonObject(piece) ? piece as Fields : {} as Fields;
      const path = typeof jsonPath === "string" ? readPath(jsonPath) : undefined;
      if (path === undefined) return "holds a part of a call's arguments without a path";
      if (path.steps.length > maxJsonLevels) {
        return `holds arguments that nest more than ${maxJsonLevels} levels deep`;
      }
      const value = valueOf(piece as Fields);
      if (value === wrong) return `holds a value of the wrong type at ${jsonPath}`;
      return put(root, path, value, (piece as Fields).willContinue === true)
        ? undefined
        : `holds arguments that do not fit together at ${jsonPath}`;
    },
    text: () => JSON.stringify(root),
  };
}

type Fields = { [K in keyof PartialArg]?: Json };

interface Path {
  readonly steps: readonly (string | number)[];
  /** The path ends in `[]`: it is that of a list. */
  readonly list: boolean;
}

const step = /\.?([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Undefined for what is no path. */
function readPath(text: string): Path | undefined {
  const list = text.endsWith("[]");
  const end = list ? text.length - 2 : text.length;
  const steps: (string | number)[] = [];
  step.lastIndex = /^\$($|[.[])/.test(text) ? 1 : 0;
  for (let at = step.lastIndex; at < end; at = step.lastIndex) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, name, index, quoted, doubly] = found;
    steps.push(
      index !== undefined ? Number(index) : name ?? (quoted ?? doubly!).replace(/\\(.)/gs, "$1"),
    );
  }
  return { steps, list };
}

const wrong = Symbol("a value of the wrong type");

/** The piece's value; undefined where it has none. */
function valueOf(piece: Fields): Json | undefined | typeof wrong {
  const { stringValue: text, numberValue: number, boolValue: truth } = piece;
  if (text !== undefined && text !== null) return typeof text === "string" ? text : wrong;
  if (number !== undefined && number !== null) {
    const known = typeof number === "string" && number.trim() !== "" ? Number(number) : number;
    return typeof known === "number" && Number.isFinite(known) ? known : wrong;
  }
  if (truth !== undefined && truth !== null) return typeof truth === "boolean" ? truth : wrong;
  return "nullValue" in piece ? null : undefined;
}

/** False where the place cannot be. */
function put(
  root: JsonObject,
  { steps, list }: Path,
  value: Json | undefined,
  goesOn: boolean,
): boolean {
  let at: JsonObject = root; // or a list, whose keys are indexes
  for (const [depth, step] of steps.entries()) {
    const key = keyIn(at, step);
    if (key === undefined) return false;
    const known: Json | undefined = at[key];
    if (depth < steps.length - 1) {
      const inner: Json = known ?? (typeof steps[depth + 1] === "number" ? [] : emptyObject());
      if (typeof inner !== "object") return false;
      at[key] = inner;
      at = inner as JsonObject;
    } else if (typeof value === "string" && typeof known === "string") at[key] = known + value;
    else if (value !== undefined) at[key] = value;
    // Without a value: the end of what came before, or something empty.
    else if (known === undefined && !goesOn) at[key] = list ? [] : emptyObject();
  }
  return true;
}

/** A list has no gaps: a far index would fill the memory. */
function keyIn(container: JsonObject | Json[], step: string | number): string | undefined {
  if (!Array.isArray(container)) return String(step);
  const index = typeof step === "string" && !/^\d+$/.test(step) ? NaN : Number(step);
  return index <= container.length ? String(index) : undefined;
}

/** One whose keys are all its own, whatever they are called. */
function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}
