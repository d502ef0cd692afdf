/** Asks a provider's server whether it knows a model, before a person or client changes to it. */
import { RunFailure } from "../core/failure.ts";
import type { OfferedModel } from "../core/model_manager.ts";
import { nearest } from "../lib/nearest.ts";
import { isOffered } from "../providers/models/is_offered.ts";
import type { RunEnvironment } from "./environment.ts";
import { type ModelChoice, offeredModels } from "./select_model.ts";

/** A server that takes longer is not waited for. */
const patienceMs = 5000;

/**
 * Throws `RunFailure("usage")` where the server lists its models, and not this one. A server that
 * gives no list takes what it takes.
 */
export async function assertOffered(
  choice: ModelChoice,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const { entry, model } = choice;
  if (entry.wire === undefined || model === undefined) return;
  let offered: readonly OfferedModel[];
  try {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    offered = await offeredModels(choice, environment, stop);
  } catch {
    signal.throwIfAborted();
    return; // the first request says what is wrong
  }
  const ids = offered.map(({ id }) => id);
  if (ids.length === 0 || isOffered(model, ids)) return;
  const guess = nearest(model, ids);
  const count = ids.length === 1 ? "the one model" : `the ${ids.length} models`;
  throw new RunFailure(
    "usage",
    `${entry.name} does not know the model ${
      JSON.stringify(model)
    }: it is not among ${count} that it ` +
      `lists${guess === undefined ? "" : ` (did you mean ${guess}?)`}; ` +
      "start nimlet with --model to use it all the same",
  );
}
