/** The look at what a run would use: provider, model, endpoint, files, where the key is from. */
import { userConfigPath } from "../config/home.ts";
import { type DoctorFacts, doctorJson, doctorLines } from "../config/show.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunEnvironment } from "./environment.ts";
import { chooseModel } from "./select_model.ts";
import type { RunOptions } from "./run_options.ts";

/** Lines without any key, credential or query. */
export function doctor(runOptions: RunOptions, environment: RunEnvironment): string[] {
  return doctorLines(factsOf(runOptions, environment));
}

/** The same for a program. */
export function doctorForProgram(runOptions: RunOptions, environment: RunEnvironment): JsonObject {
  return doctorJson(factsOf(runOptions, environment));
}

function factsOf(runOptions: RunOptions, environment: RunEnvironment): DoctorFacts {
  const choice = chooseModel(runOptions, environment);
  return {
    provider: choice.entry.name,
    model: choice.model,
    endpoint: choice.endpoint,
    files: environment.config.files,
    writeTarget: environment.nimletHome && userConfigPath(environment.nimletHome),
    key: choice.key,
    keyVariables: choice.entry.keyVariables,
    warnings: environment.notices,
  };
}
