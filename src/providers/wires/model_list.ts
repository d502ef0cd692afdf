/** How a wire asks for a server's models, and the form of the list that most servers share. */
import { isJsonObject, type Json } from "../../core/json.ts";
import type { OfferedModel } from "../../core/model_manager.ts";
import { count } from "../usage.ts";

export interface ModelPage {
  readonly models: readonly OfferedModel[];
  /** Names the page after this one, where there is one. */
  readonly next?: string | undefined;
}

/** The wire's way of `GET /models`. */
export interface ModelList {
  /** Path below the endpoint, and headers; `next` is that of the page before. */
  request(
    apiKey: string | undefined,
    next?: string,
  ): { readonly path: string; readonly headers: Readonly<Record<string, string>> };
  /** Undefined where the answer is no list of models. */
  read(answer: Json): ModelPage | undefined;
}

/** The list of OpenAI's interface, and of the many servers that copy it. */
export const commonModelList: ModelList = {
  request: (apiKey) => ({
    path: "/models",
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  }),
  read(answer) {
    const list = listIn(answer);
    return list && { models: list.flatMap(modelOf) };
  },
};

/** Servers give the list alone, as `data`, or as `models`. */
export function listIn(answer: Json): readonly Json[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isJsonObject(answer)) return undefined;
  return [answer.data, answer.models].find((value) => Array.isArray(value)) as Json[] | undefined;
}

function modelOf(entry: Json): OfferedModel[] {
  if (typeof entry === "string") return entry === "" ? [] : [{ id: entry }];
  if (!isJsonObject(entry)) return [];
  const id = [entry.id, entry.name, entry.model].find((value) => typeof value === "string");
  const { capabilities } = entry;
  // Mistral says which models answer at all
  const answers = !isJsonObject(capabilities) || capabilities.completion_chat !== false;
  if (typeof id !== "string" || id === "" || !answers) return [];
  const window = count(entry.context_length) ?? count(entry.context_window) ??
    count(entry.max_context_length) ?? count(entry.max_model_len);
  return [{ id, ...window ? { contextWindow: window } : {} }];
}
