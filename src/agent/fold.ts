/** Makes one assistant message of streamed events. */
import type { JsonObject } from "../core/json.ts";
import type { TextPart, ThinkingPart, ToolUsePart } from "../core/message.ts";
import type { ModelEvent } from "../core/model.ts";
import { readArguments } from "./read_arguments.ts";

type Part = TextPart | ThinkingPart | ToolUsePart;

interface OpenBlock {
  readonly type: "text" | "thinking";
  /** The text so far, but for the last deltas. */
  text: string[];
  deltas: string[];
  metadata?: JsonObject;
}

const maxDeltas = 512;
const shortChars = 128;

/** A string of its own costs as much as a short delta; long ones stay as they are. */
function joinShort(block: OpenBlock): void {
  let chars = 0;
  for (const delta of block.deltas) chars += delta.length;
  const { deltas } = block;
  if (chars < maxDeltas * shortChars) block.text.push(deltas.join(""));
  else for (const delta of deltas) block.text.push(delta);
  block.deltas = [];
}

/** Collects the events of one answer. */
export interface Fold {
  add(event: ModelEvent): void;
  /** The parts so far, in order of their first event; empty texts without metadata left out. */
  parts(): Part[];
}

export function createFold(): Fold {
  const order: (OpenBlock | ToolUsePart)[] = [];
  const blocks = new Map<string, OpenBlock>();
  return {
    add(event) {
      switch (event.type) {
        case "text":
        case "thinking": {
          const key = `${event.type} ${event.block}`;
          let block = blocks.get(key);
          if (!block) {
            block = { type: event.type, text: [], deltas: [] };
            blocks.set(key, block);
            order.push(block);
          }
          if (event.delta !== "" && block.deltas.push(event.delta) === maxDeltas) joinShort(block);
          if (event.metadata) block.metadata = { ...block.metadata, ...event.metadata };
          return;
        }
        case "tool_call":
          order.push(callPart(event));
          return;
        case "progress":
        case "notice":
        case "finish":
          return;
      }
    },
    parts: () =>
      order.map(toPart).filter((part) =>
        part.type === "tool_use" || part.text !== "" || part.metadata !== undefined
      ),
  };
}

function toPart(item: OpenBlock | ToolUsePart): Part {
  if (item.type === "tool_use") return item;
  const text = [...item.text, ...item.deltas].join("").toWellFormed();
  item.text = [text]; // a long answer is not held twice
  item.deltas = [];
  return {
    type: item.type,
    text,
    ...(item.metadata ? { metadata: item.metadata } : {}),
  };
}

function callPart(event: ModelEvent & { readonly type: "tool_call" }): ToolUsePart {
  const read = readArguments(event.inputText);
  return {
    type: "tool_use",
    id: event.id,
    name: event.name,
    ...("input" in read
      ? { input: read.input, ...(read.notes.length > 0 ? { notes: read.notes } : {}) }
      : { input: {}, invalidText: read.invalidText }),
    ...(event.metadata ? { metadata: event.metadata } : {}),
  };
}
