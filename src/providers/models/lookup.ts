/** Looks up a model's facts: in the built-in table, completed by the file of models.dev. */
import { isJsonObject } from "../../core/json.ts";
import { readStateFile } from "../../host/state_files.ts";
import { builtInFacts } from "./built_in.ts";
import type { ModelFacts } from "./model_facts.ts";

const maxTableBytes = 64 * 1024 * 1024;

/**
 * The facts about a model. `tablePath` is where models-dev.json may lie; a file that is missing or
 * cannot be read as JSON counts as none.
 */
export async function modelFacts(
  provider: string,
  model: string,
  tablePath?: string,
): Promise<ModelFacts> {
  const known = builtInFacts(model);
  if (tablePath === undefined) return known;
  const file = readStateFile(tablePath, maxTableBytes);
  if (file.kind !== "text") return known;
  const { modelsDevFacts } = await import("./models_dev.ts");
  try {
    const table: unknown = JSON.parse(file.text);
    const told = isJsonObject(table) ? modelsDevFacts(table, provider, model) : undefined;
    return told === undefined ? known : { ...known, ...told };
  } catch (error) {
    if (error instanceof SyntaxError) return known;
    throw error;
  }
}
