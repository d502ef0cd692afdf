/** The Anthropic messages wire. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { anthropicMender } from "../edge/anthropic_mender.ts";
import type { WireModule } from "./wire.ts";

export const wire: WireModule = {
  model: ({ model, baseUrl, apiKey, fetch }) =>
    createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch }).languageModel(model),
  mender: anthropicMender,
  callOptions: (_request, level) => ({
    ...level === undefined ? {} : { reasoning: level },
    // Arguments streamed eagerly are not checked by the server, and other servers of this wire do
    // not know the field.
    providerOptions: { anthropic: { toolStreaming: false } },
  }),
};
