/** The mending of Anthropic message streams. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AnswerFacts } from "./fault.ts";
import { dataEvent, type StreamMender } from "./stream_mender.ts";
import { textRun } from "./text_run.ts";

interface Block {
  readonly type: string;
  /** Some of a call's arguments have come. */
  begun: boolean;
  stopped: boolean;
}

/**
 * Mended here: events without `event:` lines or `type`, blocks that are never announced or never
 * closed, usage with missing or `null` numbers, errors in mid-stream. The SDK package rejects a
 * chunk with an unknown delta or block type; those are left out.
 */
export function anthropicMender(facts: AnswerFacts): StreamMender {
  const blocks = new Map<number, Block>();
  const run = textRun(facts, textDelta);
  let started = false;
  let ended = false;
  let usage: JsonObject = {};

  const addUsage = (value: unknown) => {
    if (!isJsonObject(value)) return;
    const told = Object.fromEntries(Object.entries(value).filter(([, told]) => told !== null));
    usage = { ...usage, ...told };
    facts.usage = usage;
  };
  const start = (message: JsonObject): string => {
    if (started) return "";
    started = true;
    return dataEvent({
      type: "message_start",
      message: {
        id: typeof message.id === "string" ? message.id : "msg",
        model: typeof message.model === "string" ? message.model : "model",
        type: "message",
        role: "assistant",
        content: heldCalls(message.content),
        stop_reason: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    });
  };
  const begin = (index: number, block: JsonObject): string => {
    if (blocks.has(index)) return "";
    const type = String(block.type);
    blocks.set(index, { type, begun: false, stopped: false });
    if (!ownBlocks.has(type)) return "";
    return start({}) +
      dataEvent({ type: "content_block_start", index, content_block: shaped(block, type) }) +
      firstDeltas(index, block, type);
  };

  const mender: StreamMender = {
    take: (event, name) => {
      const type = typeof event.type === "string" ? event.type : name;
      const index = typeof event.index === "number" ? event.index : Math.max(0, blocks.size - 1);
      switch (type) {
        case "message_start": {
          const message = isJsonObject(event.message) ? event.message : {};
          addUsage(message.usage);
          return start(message);
        }
        case "content_block_start":
          return isJsonObject(event.content_block) ? begin(index, event.content_block) : "";
        case "content_block_delta": {
          const delta = isJsonObject(event.delta) ? event.delta : {};
          const known = blockOfDelta[String(delta.type)];
          if (known === undefined) return "";
          const before = known === "tool_use" ? "" : begin(index, { type: known });
          const block = blocks.get(index);
          if (block === undefined || block.stopped || !ownBlocks.has(block.type)) return before;
          switch (delta.type) {
            case "text_delta":
              if (typeof delta.text !== "string" || delta.text === "") return before;
              if (before === "" && run.add(index, delta.text)) return "";
              return before + textDelta(index, delta.text);
            case "input_json_delta":
              if (typeof delta.partial_json !== "string") return before;
              if (delta.partial_json !== "") block.begun = true;
          }
          return before + dataEvent({ type, index, delta });
        }
        case "content_block_stop": {
          const block = blocks.get(index);
          if (block === undefined || block.stopped) return "";
          block.stopped = true;
          return ownBlocks.has(block.type) ? dataEvent({ type, index }) : "";
        }
        case "message_delta": {
          addUsage(event.usage);
          const delta = isJsonObject(event.delta) ? event.delta : {};
          if (typeof delta.stop_reason !== "string") return "";
          facts.rawReason = delta.stop_reason;
          const details = isJsonObject(delta.stop_details) ? delta.stop_details : {};
          if (delta.stop_reason === "refusal" && typeof details.explanation === "string") {
            facts.refusal ??= details.explanation;
          }
          return "";
        }
        case "message_stop":
          ended = true;
          return "";
        case "error":
          facts.fault ??= {
            type: "stream",
            error: isJsonObject(event.error) ? event.error : event,
          };
          ended = true;
          return "";
        default:
          if (isJsonObject(event.error)) {
            facts.fault ??= { type: "stream", error: event.error };
            ended = true;
          }
          return "";
      }
    },
    flush: run.flush,
    end: () => {
      if (facts.rawReason === undefined) return "";
      let out = start({});
      for (const [index, block] of blocks) {
        if (block.stopped || !ownBlocks.has(block.type)) continue;
        if (block.type === "tool_use" && !mayClose(facts.rawReason, block)) continue;
        out += dataEvent({ type: "content_block_stop", index });
      }
      out += dataEvent({
        type: "message_delta",
        delta: { stop_reason: facts.rawReason, stop_sequence: null },
        usage: { output_tokens: 0 },
      });
      return out + dataEvent({ type: "message_stop" });
    },
    get ended() {
      return ended;
    },
    get finished() {
      return facts.rawReason !== undefined;
    },
    whole: (answer) => {
      if (!Array.isArray(answer.content)) return undefined;
      let out = mender.take({ type: "message_start", message: { ...answer, content: [] } }, "");
      answer.content.forEach((block, index) => {
        if (!isJsonObject(block)) return;
        out += mender.take({ type: "content_block_start", index, content_block: block }, "");
        out += mender.take({ type: "content_block_stop", index }, "");
      });
      const delta = { stop_reason: answer.stop_reason ?? null };
      return out + mender.take({ type: "message_delta", delta }, "");
    },
  };
  return mender;
}

/** Calls that the first event holds whole: a server that runs tools itself goes on after them. */
function heldCalls(content: Json | undefined): JsonObject[] {
  return (Array.isArray(content) ? content : []).flatMap((block) =>
    isJsonObject(block) && block.type === "tool_use" ? [{ ...block, input: block.input ?? {} }] : []
  );
}

/** `block` with the fields that the SDK package insists on. */
function shaped(block: JsonObject, type: string): JsonObject {
  switch (type) {
    case "tool_use":
      return {
        type,
        id: typeof block.id === "string" ? block.id : "",
        name: typeof block.name === "string" ? block.name : "",
        input: isJsonObject(block.input) ? block.input : {},
      };
    case "thinking":
      return { type, thinking: "" };
    case "text":
      return { type, text: "" };
    default:
      return { type, data: typeof block.data === "string" ? block.data : "" };
  }
}

/** Some servers put the beginning of a block, or all of it, into its first event. */
function firstDeltas(index: number, block: JsonObject, type: string): string {
  let out = "";
  const add = (delta: JsonObject) =>
    out += dataEvent({ type: "content_block_delta", index, delta });
  if (type === "text" && block.text) add({ type: "text_delta", text: block.text });
  if (type === "thinking") {
    if (block.thinking) add({ type: "thinking_delta", thinking: block.thinking });
    if (block.signature) add({ type: "signature_delta", signature: block.signature });
  }
  return out;
}

/**
 * Whether a call that is still open may be closed. After a cut its text is no JSON, and so it does
 * not run; a call without any text would look like one without arguments.
 */
function mayClose(reason: string, block: Block): boolean {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return block.begun;
  return reason === "tool_use" || reason === "end_turn" || reason === "stop_sequence";
}

const ownBlocks = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

const blockOfDelta: Record<string, string> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "thinking",
  input_json_delta: "tool_use",
};

function textDelta(index: number, text: string): string {
  return `data: {"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":${
    JSON.stringify(text)
  }}}\n\n`;
}
