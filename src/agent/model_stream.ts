/** The events of one request, with the bounds on waiting for them. */
import { askedOf, ModelError, type ModelEvent, type ModelRequest } from "../core/model.ts";
import { watchedStream } from "../lib/watched_stream.ts";
import type { RunContext } from "./run_context.ts";

export const laterAdvice = "try again later, or use another model";

/**
 * Passes on what the model sends, up to and with the finish. Throws `ModelError` where it falls
 * silent or ends without one, and the signal's reason.
 */
export async function* modelStream(
  request: ModelRequest,
  { model, limits: { idleMs } }: Pick<RunContext, "model" | "limits">,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const stop = new AbortController();
  const onIdle = () =>
    new ModelError(
      "network",
      `${askedOf(model)} sent nothing for ${
        seconds(idleMs)
      } s (agent.request_timeout); ${laterAdvice}`,
      { retryable: true, advice: laterAdvice },
    );
  try {
    const events = model.stream(request, stop.signal);
    for await (const event of watchedStream(events, { idleMs, signal, onIdle })) {
      yield event;
      if (event.type === "finish") return;
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
