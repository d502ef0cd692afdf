/** The chat-completions wire: OpenRouter, local servers and all that copy it. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { chatMender } from "../edge/chat_mender.ts";
import type { WireModule } from "./wire.ts";

export const wire: WireModule = {
  model: ({ provider, model, baseUrl, apiKey, fetch }) =>
    createOpenAICompatible({
      name: provider,
      baseURL: baseUrl,
      ...apiKey === undefined ? {} : { apiKey },
      fetch,
      includeUsage: true,
    }).languageModel(model),
  mender: (facts) => chatMender(facts, "compatible"),
  callOptions: () => ({}),
  reasoningFields: (level, provider) =>
    provider === "openrouter"
      // It knows every level but the highest.
      ? {
        reasoning: level === "none"
          ? { enabled: false }
          : { effort: level === "max" ? "xhigh" : level },
      }
      : { reasoning_effort: level },
};
