/** The contract of a wire: how its SDK package is loaded and asked. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../core/json.ts";
import type { ModelRequest, ThinkingLevel } from "../../core/model.ts";
import type { AnswerFacts } from "../edge/fault.ts";
import type { StreamMender } from "../edge/stream_mender.ts";
import type { ModelFacts } from "../models/model_facts.ts";

export interface WireConnection {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
}

export interface WireModule {
  /** The package's model; its requests go through `connection.fetch`. */
  model(connection: WireConnection): LanguageModelV4;
  mender(facts: AnswerFacts): StreamMender;
  /** Call options beyond the common ones. */
  callOptions(
    request: ModelRequest,
    level: ThinkingLevel | undefined,
    facts: ModelFacts,
  ): Partial<LanguageModelV4CallOptions>;
  /** Native reasoning fields for the body, where the package's own are not used. */
  reasoningFields?(level: ThinkingLevel, provider: string): JsonObject;
}
