/** Shows what a run would use: provider, model, endpoint, files, where the key is from, how it starts. */
import { userConfigPath } from "../config/home.ts";
import { doctorJson, doctorLines, type DoctorReport } from "../config/show.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunEnvironment } from "./environment.ts";
import type { ModelChoice } from "./select_model.ts";

/** Lines without any key, credential or query. */
export function doctor(choice: ModelChoice, environment: RunEnvironment): string[] {
  return doctorLines(reportOf(choice, environment));
}

/** The same for a program. */
export function doctorForProgram(choice: ModelChoice, environment: RunEnvironment): JsonObject {
  return doctorJson(reportOf(choice, environment));
}

function reportOf(choice: ModelChoice, environment: RunEnvironment): DoctorReport {
  return {
    provider: choice.entry.name,
    model: choice.model,
    endpoint: choice.endpoint,
    files: environment.config.files,
    writeTarget: environment.nimletHome && userConfigPath(environment.nimletHome),
    key: choice.key,
    keyVariables: choice.entry.keyVariables,
    compiledCode: environment.host.compiledCode,
    warnings: environment.notices,
  };
}
