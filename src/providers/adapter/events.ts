/** The way from an SDK package's stream parts to our model events. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { JsonObject } from "../../core/json.ts";
import type { ProviderMetadata } from "../../core/message.ts";
import type { ModelEvent } from "../../core/model.ts";
import type { Usage } from "../../core/usage.ts";
import type { AnswerFacts } from "../edge/fault.ts";
import { partedRun } from "../edge/text_run.ts";
import { callOrder, type HeldCall } from "./call_order.ts";
import { finishReason } from "./finish.ts";

export interface EventContext {
  readonly facts: AnswerFacts;
  /** Key of the metadata that the adapter itself adds. */
  readonly provider: string;
  /** Ids of calls that the conversation holds already. */
  readonly usedIds: Set<string>;
  usage(part: LanguageModelV4StreamPart & { type: "finish" }): Usage;
  /** Called with what the package says about settings that it cannot take. */
  warn?(sentence: string): void;
  /** Takes out of the server's words what nobody may see. */
  clean?(text: string): string;
  /** Makes the failure of an error part, or of a stream that ends without a finish. */
  failure(error: unknown): Error;
}

interface Block {
  readonly kind: "text" | "thinking";
  readonly key: string;
  metadata: ProviderMetadata | undefined;
  told: boolean;
}

/** Turns parts into events. Throws what `failure` makes; ends in exactly one `finish`. */
export async function* modelEvents(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  context: EventContext,
): AsyncIterable<ModelEvent> {
  const { facts } = context;
  const blocks = new Map<string, Block>();
  const doubtful: HeldCall[] = [];
  const order = callOrder();
  let opened = 0;
  let lastThinking: string | undefined;
  let asked = false;

  const open = (kind: Block["kind"], id: string, metadata: unknown): Block => {
    const block: Block = {
      kind,
      key: `${kind}-${opened++}`,
      metadata: metadata as ProviderMetadata | undefined,
      told: metadata === undefined,
    };
    blocks.set(`${kind}:${id}`, block);
    if (kind === "thinking") lastThinking = block.key;
    return block;
  };
  const noted = (block: Block, metadata: unknown) => {
    if (metadata === undefined) return;
    const merged = mergeMetadata(block.metadata, metadata as ProviderMetadata);
    if (merged === block.metadata) return;
    block.metadata = merged;
    block.told = false;
  };
  const event = (block: Block, delta: string): ModelEvent => {
    const metadata = block.told ? undefined : block.metadata;
    block.told = true;
    return metadata === undefined
      ? { type: block.kind, block: block.key, delta }
      : { type: block.kind, block: block.key, delta, metadata };
  };

  for await (const part of parts) {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "thinking";
        const block = blocks.get(`${kind}:${part.id}`) ?? open(kind, part.id, undefined);
        if (part.providerMetadata !== undefined) noted(block, part.providerMetadata);
        if (part.delta === "") break;
        if (kind === "thinking" || facts.runs === undefined) yield event(block, part.delta);
        else for (const delta of partedRun(facts, part.delta)) yield event(block, delta);
        break;
      }
      case "text-start":
        open("text", part.id, part.providerMetadata);
        break;
      case "reasoning-start":
        open("thinking", part.id, part.providerMetadata);
        yield { type: "progress" };
        break;
      case "text-end":
      case "reasoning-end": {
        const block = blocks.get(`${part.type === "text-end" ? "text" : "thinking"}:${part.id}`);
        if (block === undefined) break;
        noted(block, part.providerMetadata);
        if (!block.told) yield event(block, "");
        break;
      }
      case "tool-input-start":
        order.begin(part.id);
        yield { type: "progress" };
        break;
      case "tool-input-delta":
        yield { type: "progress" };
        break;
      case "tool-call": {
        if (part.providerExecuted) break;
        const call: HeldCall = {
          type: "tool_call",
          id: unusedId(part.toolCallId, context.usedIds),
          name: part.toolName,
          inputText: part.input,
          ...part.providerMetadata === undefined
            ? {}
            : { metadata: part.providerMetadata as ProviderMetadata },
        };
        for (const next of order.end(part.toolCallId, call)) {
          // Whether arguments that do not parse were cut is known at the end only.
          if (doubtful.length > 0 || !parses(next.inputText)) doubtful.push(next);
          else {
            asked = true;
            yield next;
          }
        }
        break;
      }
      case "stream-start":
        for (const warning of part.warnings) {
          const details = "details" in warning ? warning.details : undefined;
          if ("feature" in warning && warning.feature === "reasoning" && details) {
            context.warn?.(details);
          }
        }
        break;
      case "error":
        throw context.failure(part.error);
      case "finish": {
        if (facts.fault !== undefined || part.finishReason.unified === "interrupted") {
          throw context.failure(undefined);
        }
        doubtful.push(...order.rest());
        const { unified, raw: theirs } = part.finishReason;
        const raw = facts.rawReason ?? theirs;
        const word = facts.rawReason ?? (unified === "other" ? theirs : unified);
        let reason = finishReason(word, true);
        if (facts.refusal !== undefined && reason !== "length") reason = "content_filter";
        if (reason === "error") {
          facts.fault = { type: "stopped", reason: raw ?? "error", retryable: true };
          throw context.failure(undefined);
        }
        if (reason === "tool_calls") {
          for (const call of doubtful) yield call;
          asked ||= doubtful.length > 0;
          if (!asked) reason = finishReason(word, false);
        } else {
          // Cut arguments are no JSON, so they never run; the model is told so. None at all would
          // look like a call without arguments.
          for (const call of doubtful) {
            if (parses(call.inputText) || (reason === "length" && call.inputText.trim() !== "")) {
              yield call;
            }
          }
        }
        if (facts.extra !== undefined) {
          yield {
            type: "thinking",
            block: lastThinking ?? "thinking-extra",
            delta: facts.extra.text,
            metadata: { [context.provider]: facts.extra.data },
          };
        }
        const clean = context.clean ?? ((text: string) => text);
        const words = rawWords(raw && clean(raw), facts.refusal && clean(facts.refusal));
        yield {
          type: "finish",
          reason,
          ...words === undefined ? {} : { rawReason: words },
          usage: context.usage(part),
        };
        return;
      }
      default: // sources, files, response metadata: nothing of ours
    }
  }
  throw context.failure(undefined);
}

/** The server's word for the end, with the refusal's own words where there are any. */
function rawWords(raw: string | undefined, refusal: string | undefined): string | undefined {
  if (refusal === undefined || refusal === "") return raw;
  const words = refusal.replace(/\s+/g, " ").trim();
  return `refusal: ${words.length > 500 ? `${words.slice(0, 500)}...` : words}`;
}

/** True for arguments that came whole: a JSON value, and not merely none. */
function parses(text: string): boolean {
  if (text.trim() === "") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the caller decides what broken arguments mean
  }
}

function unusedId(id: string, used: Set<string>): string {
  let own = id;
  while (own.trim() === "" || used.has(own)) {
    own = `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  }
  used.add(own);
  return own;
}

/** `before` with the keys of `more`; the same object where nothing is new. */
function mergeMetadata(
  before: ProviderMetadata | undefined,
  more: ProviderMetadata,
): ProviderMetadata | undefined {
  if (before === undefined) return more;
  let merged: ProviderMetadata | undefined;
  for (const [provider, values] of Object.entries(more)) {
    const known: JsonObject = (merged ?? before)[provider] ?? {};
    const fresh = Object.entries(values).filter(([key, value]) =>
      known[key] !== value && JSON.stringify(known[key]) !== JSON.stringify(value)
    );
    if (fresh.length === 0) continue;
    merged = { ...(merged ?? before), [provider]: { ...known, ...Object.fromEntries(fresh) } };
  }
  return merged ?? before;
}
