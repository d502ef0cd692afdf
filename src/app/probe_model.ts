/** Asks a model the shortest possible question, to see whether it answers. */
import { messageOf } from "../core/failure.ts";
import type { Clock } from "../core/host.ts";
import type { ChatModel } from "../core/model.ts";
import { watchedStream } from "../lib/watched_stream.ts";

const patienceMs = 30_000;

/** One line for people; never throws but the signal's reason. */
export async function probeModel(
  model: ChatModel,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  const startMs = clock.monotonic();
  const stop = new AbortController();
  const events = model.stream({
    system: "Answer with the word OK.",
    messages: [{ role: "user", content: [{ type: "text", text: "Are you there?" }] }],
    tools: [],
    maxOutputTokens: 64,
  }, stop.signal);
  const onIdle = () => new Error(`nothing came for ${patienceMs / 1000} s`);
  try {
    for await (const batch of watchedStream(events, { idleMs: patienceMs, signal, onIdle })) {
      if (batch.some((event) => event.type === "finish")) break;
    }
    return `test: ${model.model} answered in ${Math.round(clock.monotonic() - startMs)} ms`;
  } catch (error) {
    signal.throwIfAborted();
    return `test: failed: ${messageOf(error)}`;
  } finally {
    stop.abort();
  }
}
