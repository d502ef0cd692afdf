/** Google's generative language wire. */
import { createGoogle } from "@ai-sdk/google";
import { googleMender } from "../edge/google_mender.ts";
import type { WireModule } from "./wire.ts";

export const wire: WireModule = {
  model: ({ model, baseUrl, apiKey, fetch }) =>
    createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch }).languageModel(model),
  mender: googleMender,
  callOptions: (_request, level) =>
    level === undefined || level === "none"
      ? level === undefined ? {} : { reasoning: level }
      // Thoughts are shown only where asked for.
      : {
        reasoning: level,
        providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
      },
};
