/** The OpenAI Responses wire. */
import { createOpenAI } from "@ai-sdk/openai";
import { responsesMender } from "../edge/responses_mender.ts";
import type { WireModule } from "./wire.ts";

export const wire: WireModule = {
  model: ({ model, baseUrl, apiKey, fetch }) =>
    createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch }).responses(model),
  mender: responsesMender,
  callOptions: (request, level, facts) => ({
    ...level === undefined ? {} : { reasoning: level },
    ...request.outputSchema === undefined ? {} : {
      responseFormat: { type: "json" as const, schema: request.outputSchema, name: "answer" },
    },
    providerOptions: {
      // Nothing is kept at the server: reasoning goes back with the conversation, encrypted.
      openai: {
        store: false,
        // A person's own schema is seldom in the strict subset; the answer is checked here anyway.
        strictJsonSchema: false,
        // The package knows reasoning models by name; a level is a sign, too. Summaries need a
        // verified organisation, so they are asked for only by those who ask for thinking.
        ...level === undefined || facts.thinking.every((known) => known === "none")
          ? {}
          : { forceReasoning: true, ...level === "none" ? {} : { reasoningSummary: "auto" } },
      },
    },
  }),
};
