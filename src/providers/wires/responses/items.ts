/** The items of one answer, known by their index: some servers give each event another id. */
import type { EasyInputMessage, ResponseOutputItem } from "openai/resources/responses/responses";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { count, within } from "../../usage.ts";

export type ItemType = ResponseOutputItem["type"];

export interface Item {
  /** Its place in the answer. */
  readonly index: number;
  readonly id: string;
  /** As its first event had it. */
  readonly announced: JsonObject;
  /** What has come of a call's arguments. */
  input: string;
  spoke: boolean;
  /** Blocks of thinking that have begun. */
  readonly thoughts: Set<string>;
  done: boolean;
}

export interface Items {
  /** The item of an event; one that was never announced, of `type`, is announced now. */
  of(event: JsonObject, type: ItemType): Item;
  /** The item that stands at `index` of the list of all items in the end. */
  at(index: number, value: JsonObject): Item;
  all(): Iterable<Item>;
}

export function createItems(announce: (item: Item) => void): Items {
  const items = new Map<number, Item>();
  const byId = new Map<string, Item>();
  let latest = 0, next = 0;

  const known = (index: number, announced: JsonObject): Item => {
    let item = items.get(index);
    if (item === undefined) {
      const id = stringOf(announced.id) || `item_${index}`;
      item = { index, id, announced, input: "", spoke: false, thoughts: new Set(), done: false };
      items.set(index, item);
      byId.set(id, item);
      latest = index;
      next = Math.max(next, index + 1);
      announce(item);
    }
    return item;
  };
  return {
    of: (event, type) => {
      const announced = { type, id: event.item_id ?? null, ...within(event.item) };
      const place = count(event.output_index) ?? byId.get(stringOf(announced.id))?.index;
      return known(place ?? (isJsonObject(event.item) ? next : latest), announced);
    },
    at: (index, value) => byId.get(stringOf(value.id)) ?? known(index, value),
    all: () => items.values(),
  };
}

const phases = new Set<Json | undefined>(
  ["commentary", "final_answer"] satisfies EasyInputMessage["phase"][],
);

export function phaseOf({ phase }: JsonObject): string | undefined {
  return phases.has(phase) ? phase as string : undefined;
}

const calls = new Set<Json | undefined>(
  ["function_call", "custom_tool_call"] satisfies ItemType[],
);

/** Whether it is a call for us; calls of tools that the server runs itself have other types. */
export function isCall({ type }: JsonObject): boolean {
  return calls.has(type);
}

/** The text of a call's arguments, which some servers send parsed. */
export function inputOf({ arguments: args, input }: JsonObject): string {
  const value = args ?? input;
  return isJsonObject(value) ? JSON.stringify(value) : stringOf(value);
}

/** "" for anything but a string. */
export function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
