/** Mistral's own dialect of the chat wire: it refuses fields that others take. */
import { createMistral } from "@ai-sdk/mistral";
import { chatMender } from "../edge/chat_mender.ts";
import type { WireModule } from "./wire.ts";

export const wire: WireModule = {
  model: ({ model, baseUrl, apiKey, fetch }) =>
    createMistral({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch }).languageModel(model),
  mender: (facts) => chatMender(facts, "mistral"),
  callOptions: (_request, level) => level === undefined ? {} : { reasoning: level },
};
