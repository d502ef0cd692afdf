/** Recording: a model whose completed steps become lines of a cassette. */
import type { JsonObject } from "../../core/json.ts";
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
      for await (const batch of model.stream(request, signal)) {
        for (const event of batch) {
          step.take(event);
          if (event.type === "finish") await sink(step.line());
        }
        yield batch;
      }
    },
  };
}

interface Recorded {
  readonly event: JsonObject;
  /** Of a streamed text, which may be long. */
  readonly deltas: string[];
}

function stepRecorder(): { take(event: ModelEvent): void; line(): string } {
  const events: Recorded[] = [];
  return {
    take: (event) => {
      switch (event.type) {
        case "text":
        case "thinking": {
          const { delta, metadata, ...rest } = event;
          const last = events.at(-1);
          // Neighbouring pieces of one block are one event: a cassette is for reading, too.
          if (last?.event.type === event.type && last.event.block === event.block) {
            last.deltas.push(delta);
            if (metadata) {
              last.event.metadata = { ...last.event.metadata as JsonObject, ...metadata };
            }
          } else events.push({ event: { ...rest, ...metadata && { metadata } }, deltas: [delta] });
          return;
        }
        case "tool_call": {
          const { inputText: input, ...rest } = event;
          events.push({ event: { ...rest, input }, deltas: [] });
          return;
        }
        case "finish": {
          const { rawReason, outputLimit, usage, ...rest } = event;
          const raw = rawReason === undefined ? {} : { raw_reason: rawReason };
          const limit = outputLimit === undefined ? {} : { output_limit: outputLimit };
          events.push({ event: { ...rest, ...raw, ...limit, usage: { ...usage } }, deltas: [] });
          return;
        }
        case "notice":
          events.push({ event: { ...event }, deltas: [] });
          return;
        case "progress":
      }
    },
    line: () =>
      JSON.stringify(events.map(({ event, deltas }) =>
        deltas.length === 0 ? event : {
          ...event,
          delta: deltas.join(""),
          // how it came, so that it is played as it came
          ...deltas.length === 1 ? {} : { pieces: deltas.map((delta) => delta.length) },
        }
      )),
  };
}
