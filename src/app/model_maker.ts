/** Makes the models of one run of the program, one after the other. */
import type { Host } from "../core/host.ts";
import type { ChatModel } from "../core/model.ts";
import type { Selection } from "../session/history.ts";
import type { RunEnvironment } from "./environment.ts";
import { openRecording } from "./output/recording.ts";
import type { RunOptions } from "./run_options.ts";
import { chooseModel, makeModel, type ModelChoice } from "./select_model.ts";

type Wanted = Pick<RunOptions, "provider" | "model">;

export interface ModelMaker {
  /** What would be used. Throws `RunFailure` for a provider that is not known. */
  choose(wanted: Wanted, environment: RunEnvironment, selection?: Selection): ModelChoice;
  /** Throws `RunFailure` where the model cannot be used. */
  make(wanted: Wanted, environment: RunEnvironment, selection?: Selection): Promise<ChatModel>;
  /** Ends the recording; may be called twice. */
  close(): Promise<void>;
}

/**
 * --api-key and --endpoint are for the provider of the first model alone; all answers are recorded where
 * --record is given. Throws `RunFailure("usage")` where the recording cannot be written.
 */
export function createModelMaker(
  { apiKey, endpoint, record }: Pick<RunOptions, "apiKey" | "endpoint" | "record">,
  host: Host,
  signal: AbortSignal,
  notify: (sentence: string) => void = () => {},
): ModelMaker {
  const recording = record === undefined ? undefined : openRecording(record, host, signal);
  let firstProvider: string | undefined;
  const choose: ModelMaker["choose"] = (wanted, environment, selection) =>
    chooseModel(
      {
        ...wanted,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(endpoint === undefined ? {} : { endpoint }),
        firstProvider,
      },
      environment,
      selection,
    );
  return {
    choose,
    async make(wanted, environment, selection) {
      const choice = choose(wanted, environment, selection);
      const made = await makeModel(choice, environment);
      if (choice.notice !== undefined) notify(choice.notice);
      const model = recording ? await recording.of(made) : made;
      firstProvider ??= model.provider;
      return model;
    },
    close: async () => await recording?.close(),
  };
}
