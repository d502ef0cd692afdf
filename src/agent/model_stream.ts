/** The events of one request, with the bounds on waiting for them. */
import { askedOf, ModelError, type ModelEvent, type ModelRequest } from "../core/model.ts";
import { type Silence, watchedStream } from "../lib/watched_stream.ts";
import type { RunContext } from "./run_context.ts";

export const laterAdvice = "try again later, or use another model";

/**
 * Passes on what the model sends, in batches, up to and with the finish. Throws `ModelError` where it falls
 * silent or ends without one, `CostReached` where it may not begin, and the signal's reason.
 */
export async function* modelStream(
  request: ModelRequest,
  { model, limits: { idleMs }, spending }: Pick<RunContext, "model" | "limits" | "spending">,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[]> {
  spending?.begin();
  const stop = new AbortController();
  const isKeepAlive = (events: readonly ModelEvent[]) => events.length === 0;
  const onIdle = ({ ms, keptAlive }: Silence) =>
    new ModelError(
      "network",
      `${askedOf(model)} sent nothing ${keptAlive ? "but signs of life " : ""}for ${
        seconds(ms)
      } s (agent.request_timeout); ${laterAdvice}`,
      { retryable: true, advice: laterAdvice },
    );
  try {
    const source = model.stream(request, stop.signal);
    for await (const events of watchedStream(source, { idleMs, signal, isKeepAlive, onIdle })) {
      const last = events.at(-1);
      if (last?.type === "finish") spending?.add(last.usage);
      yield events;
      if (last?.type === "finish") return;
    }
  } finally {
    stop.abort(signal.reason);
  }
  throw new ModelError("network", `${askedOf(model)} ended its answer before the finish`, {
    retryable: true,
  });
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}
