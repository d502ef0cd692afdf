/** Asks a model the shortest possible question, to see whether it answers. */
import { messageOf } from "../core/failure.ts";
import type { Clock } from "../core/host.ts";
import type { ChatModel } from "../core/model.ts";
import type { Probe } from "../core/probe.ts";
import { watchedStream } from "../lib/watched_stream.ts";

const patienceMs = 30_000;

/** Never throws but the signal's reason. */
export async function probeModel(
  model: ChatModel,
  clock: Clock,
  signal: AbortSignal,
): Promise<Probe> {
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
    const ms = Math.round(clock.monotonic() - startMs);
    return { ok: true, text: `test: ${model.model} answered in ${ms} ms` };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, text: `test: failed: ${messageOf(error)}` };
  } finally {
    stop.abort();
  }
}
