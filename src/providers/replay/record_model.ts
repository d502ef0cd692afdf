/** Recording: a model whose completed steps become lines of a cassette. */
import type { Json, JsonObject } from "../../core/json.ts";
import type { ChatModel, ModelEvent } from "../../core/model.ts";

/**
 * Wraps `model`; `sink` gets one line (without its newline) for each step that came to its finish,
 * before that finish is handed on.
 */
export function recordModel(model: ChatModel, sink: (line: string) => Promise<void>): ChatModel {
  return {
    ...model,
    stream: async function* (request, signal) {
      const step = stepRecorder();
      for await (const event of model.stream(request, signal)) {
        step.take(event);
        if (event.type === "finish") await sink(step.line());
        yield event;
      }
    },
  };
}

interface OpenPart {
  readonly part: { [key: string]: Json };
  text: string[];
}

function stepRecorder(): { take(event: ModelEvent): void; line(): string } {
  const parts: OpenPart[] = [];
  return {
    take: (event) => {
      switch (event.type) {
        case "text":
        case "thinking": {
          const type = event.type === "text" ? "text-delta" : "reasoning-delta";
          const metadata = event.metadata === undefined
            ? {}
            : { providerMetadata: event.metadata as JsonObject };
          const last = parts.at(-1);
          // Neighbouring pieces of one block are one part: a cassette is for reading, too.
          if (last?.part.type === type && last.part.id === event.block) {
            last.text.push(event.delta);
            Object.assign(last.part, metadata);
          } else {
            parts.push({ part: { type, id: event.block, ...metadata }, text: [event.delta] });
          }
          return;
        }
        case "tool_call":
          parts.push({
            part: {
              type: "tool-call",
              toolCallId: event.id,
              toolName: event.name,
              input: event.inputText,
              ...event.metadata === undefined
                ? {}
                : { providerMetadata: event.metadata as JsonObject },
            },
            text: [],
          });
          return;
        case "progress":
        case "notice":
          return;
        case "finish":
          parts.push({
            part: {
              type: "finish",
              finishReason: {
                unified: event.reason.replace("_", "-"),
                raw: event.rawReason ?? null,
              },
              usage: {
                inputTokens: {
                  total: event.usage.input_tokens ?? null,
                  cacheRead: event.usage.cache_read_tokens ?? null,
                  cacheWrite: event.usage.cache_write_tokens ?? null,
                },
                outputTokens: {
                  total: event.usage.output_tokens ?? null,
                  reasoning: event.usage.reasoning_tokens ?? null,
                },
              },
            },
            text: [],
          });
      }
    },
    line: () =>
      JSON.stringify(parts.map(({ part, text }) =>
        text.length === 0 ? part : {
          ...part,
          delta: text.join(""),
          // how it came, so that it is played as it came
          ...text.length === 1 ? {} : { pieces: text.map((delta) => delta.length) },
        }
      )),
  };
}
