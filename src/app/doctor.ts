/** Owns the look at what a run would use: provider, model, endpoint, files, where the key is from. */
import { join } from "node:path";
import { doctorLines } from "../config/show.ts";
import type { RunEnvironment } from "./environment.ts";
import { chooseModel } from "./select_model.ts";
import type { Wanted } from "./wanted.ts";

/** Lines without any key, credential or query. */
export function doctor(wanted: Wanted, environment: RunEnvironment): string[] {
  const choice = chooseModel(wanted, environment);
  return doctorLines({
    provider: choice.entry.name,
    model: choice.model,
    endpoint: choice.endpoint,
    files: environment.config.files,
    writeTarget: environment.nimletHome && join(environment.nimletHome, "config.json"),
    key: choice.key,
    keyVariables: choice.entry.keyVariables,
    warnings: environment.notices,
  });
}
