/** Owns the look at what a run would use: provider, model, endpoint, files, where the key is from. */
import { userConfigPath } from "../config/home.ts";
import { type DoctorFacts, doctorJson, doctorLines } from "../config/show.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunEnvironment } from "./environment.ts";
import { chooseModel } from "./select_model.ts";
import type { Wanted } from "./wanted.ts";

/** Lines without any key, credential or query. */
export function doctor(wanted: Wanted, environment: RunEnvironment): string[] {
  return doctorLines(factsOf(wanted, environment));
}

/** The same for a program. */
export function doctorForProgram(wanted: Wanted, environment: RunEnvironment): JsonObject {
  return doctorJson(factsOf(wanted, environment));
}

function factsOf(wanted: Wanted, environment: RunEnvironment): DoctorFacts {
  const choice = chooseModel(wanted, environment);
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
