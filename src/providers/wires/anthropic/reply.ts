/** Answers of the Anthropic messages wire, as the servers that copy it send them. */
import type {
  ContentBlock,
  Message,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  Usage,
} from "@anthropic-ai/sdk/resources/messages";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { count, type Counts, within } from "../../usage.ts";
import type { AnswerBuilder, WholeCall } from "../answer.ts";
import { strictValues } from "../strict_values.ts";
import type { AnswerReader } from "../wire.ts";

/** The fields that some `T` has; servers put anything into them. */
type Fields<T> = { [K in T extends unknown ? keyof T : never]?: Json };

interface Block {
  readonly type: "text" | "thinking" | "call" | "other";
  readonly key: string;
  /** The call as it was announced; its arguments count where no pieces follow. */
  readonly call: WholeCall | undefined;
  pieces: string;
  open: boolean;
}

/**
 * Taken as they come: events without `type` (then by their `event:` line) or index, blocks that are
 * never announced, never closed, announced whole, or that share an index, usage in any place, `null`
 * anywhere. Blocks and deltas that nobody knows are skipped.
 */
export function reader(answer: AnswerBuilder): AnswerReader {
  /** The newest block of each index. */
  const blocks = new Map<number, Block>();
  let newest = -1, made = 0;
  let started = false;
  let usage: JsonObject | undefined;

  const { string, toolName, argumentText, refuse } = strictValues(answer);
  const close = (index: number, noArguments = "{}"): void => {
    const block = blocks.get(index);
    if (block?.open && block.call !== undefined) {
      const texts = [block.pieces, block.call.inputText, noArguments];
      answer.endCall(block.key, { ...block.call, inputText: texts.find(isFilled) ?? "" });
    }
    if (block !== undefined) block.open = false;
  };
  const open = (index: number, type: Block["type"], call?: WholeCall): string => {
    close(index);
    const key = `${type}-${made++}`;
    blocks.set(index, { type, key, call, pieces: "", open: true });
    newest = index;
    return key;
  };
  /** The key of the open block of that type at `index`, or of one beside an open call. */
  const keyAt = (index: number, type: "text" | "thinking"): string => {
    const block = blocks.get(index);
    if (block?.open && block.type === "call") return `${type}-${block.key}`;
    return block?.open && block.type === type ? block.key : open(index, type);
  };
  const say = (index: number, text: Json | undefined) =>
    answer.text(keyAt(index, "text"), string(text, "text"));
  const think = (index: number, text: Json | undefined) =>
    answer.thinking(keyAt(index, "thinking"), string(text, "thinking"));
  const sign = (index: number, value: Json | undefined): void => {
    const signature = string(value, "a signature");
    const block = blocks.get(index);
    if (signature === "" || (block !== undefined && block.type !== "thinking")) return;
    answer.thinking(block?.key ?? open(index, "thinking"), "", { signature });
  };
  const begin = (index: number, block: Fields<ContentBlock>): void => {
    switch (block.type as ContentBlock["type"]) {
      case "text":
        return say(index, block.text);
      case "thinking":
        think(index, block.thinking);
        sign(index, block.signature);
        return answer.progress();
      case "redacted_thinking": {
        const redacted_data = string(block.data, "redacted thinking");
        const key = open(index, "other");
        return redacted_data === "" ? undefined : answer.thinking(key, "", { redacted_data });
      }
      case "tool_use": {
        const id = typeof block.id === "string" ? block.id : "";
        const name = toolName(block.name);
        const before = blocks.get(index);
        if (before?.open && id !== "" && before.call?.id === id) return; // announced twice
        return answer.beginCall(
          open(index, "call", { id, name, inputText: argumentText(block.input) }),
        );
      }
      default:
        open(index, "other");
        return answer.progress();
    }
  };
  const add = (index: number, delta: Fields<RawContentBlockDelta>): void => {
    const block = blocks.get(index);
    if (block?.type === "other") return answer.progress();
    switch (delta.type as RawContentBlockDelta["type"]) {
      case "text_delta":
        return say(index, delta.text);
      case "thinking_delta":
        return think(index, delta.thinking);
      case "signature_delta":
        return sign(index, delta.signature);
      case "input_json_delta": {
        const piece = argumentText(delta.partial_json);
        if (block?.type !== "call" && piece !== "") return refuse("holds arguments of no call");
        if (block?.open) block.pieces += piece;
        return answer.progress(piece);
      }
      default:
        return answer.progress();
    }
  };
  const addUsage = (value: Json | undefined): void => {
    if (!isJsonObject(value)) return;
    const known = Object.entries(value).filter(([, item]) => item !== null);
    usage = { ...usage, ...Object.fromEntries(known) };
  };
  const finish = ({ stop_reason: reason, stop_details: details }: Fields<Message>): void => {
    if (typeof reason !== "string" || reason === "") return;
    const { explanation } = within(details);
    const first = answer.reason === undefined;
    if (first && reason === "refusal" && typeof explanation === "string") {
      answer.refuse(explanation);
    }
    answer.reason = reason;
  };
  /** Blocks that came whole. */
  const takeWhole = (content: readonly Json[]): void => {
    for (const block of content) {
      if (!isJsonObject(block)) continue;
      begin(newest + 1, block);
      close(newest);
    }
  };
  return {
    take: (event, name) => {
      const type = typeof event.type === "string" ? event.type : name;
      const index = count(event.index);
      addUsage(event.usage);
      switch (type as RawMessageStreamEvent["type"] | "error") {
        case "message_start": {
          const { content, usage } = within(event.message) as Fields<Message>;
          addUsage(usage);
          // A server that runs tools itself goes on after calls that it holds whole.
          if (!started && Array.isArray(content)) takeWhole(content.filter(isCall));
          started = true;
          return;
        }
        case "content_block_start":
          return begin(index ?? newest + 1, within(event.content_block));
        case "content_block_delta":
          return add(index ?? Math.max(0, newest), within(event.delta));
        case "content_block_stop":
          return close(index ?? newest);
        case "message_delta":
          return finish(within(event.delta));
        case "message_stop":
          answer.ended = true;
          return;
        case "error":
          return answer.fail({ type: "stream", error: event.error ?? event });
        default:
          if (event.error) answer.fail({ type: "stream", error: event.error });
      }
    },
    whole: (message) => {
      if (!Array.isArray(message.content)) return false;
      addUsage(message.usage);
      takeWhole(message.content);
      finish(message);
      return true;
    },
    end: () => {
      for (const index of blocks.keys()) close(index, "");
    },
    usage: () => usage && countsOf(usage),
  };
}

function isFilled(text: string): boolean {
  return /\S/.test(text);
}

function isCall(block: Json): boolean {
  return isJsonObject(block) && block.type === "tool_use";
}

function countsOf(raw: Fields<Usage>): Counts {
  const fresh = count(raw.input_tokens);
  const read = count(raw.cache_read_input_tokens);
  const written = count(raw.cache_creation_input_tokens);
  return {
    // This wire counts cached tokens beside the input.
    input_tokens: fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0),
    output_tokens: count(raw.output_tokens),
    cache_read_tokens: read,
    cache_write_tokens: written,
    reasoning_tokens: count(within(raw.output_tokens_details).thinking_tokens),
  };
}
