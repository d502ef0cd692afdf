/** Google's list of models, which comes in pages and holds more than models that answer. */
import { isJsonObject, type Json } from "../../../core/json.ts";
import type { OfferedModel } from "../../../core/model_manager.ts";
import { count } from "../../usage.ts";
import { listIn, type ModelList } from "../model_list.ts";

export const modelList: ModelList = {
  request: (apiKey, next) => ({
    path: `/models?pageSize=1000${
      next === undefined ? "" : `&pageToken=${encodeURIComponent(next)}`
    }`,
    headers: apiKey === undefined ? {} : { "x-goog-api-key": apiKey },
  }),
  read(answer) {
    const list = listIn(answer);
    const token = isJsonObject(answer) ? answer.nextPageToken : undefined;
    return list && {
      models: list.flatMap(modelOf),
      next: typeof token === "string" && token !== "" ? token : undefined,
    };
  },
};

function modelOf(entry: Json): OfferedModel[] {
  if (!isJsonObject(entry) || typeof entry.name !== "string") return [];
  const methods = entry.supportedGenerationMethods;
  if (Array.isArray(methods) && !methods.includes("generateContent")) return [];
  const window = count(entry.inputTokenLimit);
  const id = entry.name.replace(/^models\//, "");
  return [{ id, ...window ? { contextWindow: window } : {} }];
}
