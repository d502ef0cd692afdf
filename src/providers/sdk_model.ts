/** One request to a model behind an SDK package: prompt, call, events, failure. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Message } from "../core/message.ts";
import {
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ThinkingLevel,
} from "../core/model.ts";
import { httpFetch } from "../host/http_client.ts";
import { wellFormed } from "../lib/well_formed.ts";
import { modelEvents } from "./adapter/events.ts";
import { buildPrompt } from "./adapter/prompt.ts";
import { type BodyChanges, changesBody, shapeBody } from "./adapter/request_body.ts";
import type { Target } from "./adapter/target.ts";
import { nearestLevel, outputCap } from "./adapter/thinking.ts";
import { sentSchema } from "./adapter/tool_schema.ts";
import { usageOf } from "./adapter/usage.ts";
import type { ProviderEntry } from "./catalog.ts";
import { classify } from "./classify.ts";
import type { ModelSpec } from "./create_model.ts";
import { edgeFetch } from "./edge/edge_fetch.ts";
import type { AnswerFacts } from "./edge/fault.ts";
import type { ParsedEndpoint } from "./endpoint.ts";
import type { ModelFacts } from "./models/model_facts.ts";
import { type NoticeList, noticeList } from "./notice_list.ts";
import { redact } from "./redact.ts";
import type { WireModule } from "./wires/wire.ts";

export interface SdkModelParts {
  readonly spec: ModelSpec;
  readonly entry: ProviderEntry;
  readonly wire: WireModule;
  readonly facts: ModelFacts;
  readonly endpoint: ParsedEndpoint;
  readonly apiKey: string | undefined;
}

export function sdkModel(parts: SdkModelParts): ChatModel {
  const { spec, entry, facts, endpoint } = parts;
  const ownFetch = spec.fetch ?? httpFetch();
  const notices = noticeList();
  let images = facts.images;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const ask = (withImages: boolean) =>
      askOnce({ ...parts, fetch: ownFetch }, request, withImages, notices, signal);
    if (!images || !request.messages.some(hasImage)) {
      yield* ask(images);
      return;
    }
    // A server that refuses the request may refuse its images: without them the session goes on.
    let begun = false;
    try {
      for await (const event of ask(true)) {
        begun ||= event.type !== "notice";
        yield event;
      }
    } catch (error) {
      if (begun || !refusesContent(error)) throw error;
      try {
        for await (const event of ask(false)) {
          if (!begun && event.type !== "notice") {
            begun = true;
            images = false;
            notices.add(`${entry.name} does not take images for ${spec.model}; they are left out.`);
            yield* notices.take();
          }
          yield event;
        }
      } catch (second) {
        throw begun || signal.aborted ? second : error;
      }
    }
  }
  return {
    provider: entry.name,
    model: spec.model,
    endpoint: endpoint.base,
    contextWindow: spec.contextWindow || facts.contextWindow,
    stream,
  };
}

async function* askOnce(
  parts: SdkModelParts & { readonly fetch: typeof fetch },
  request: ModelRequest,
  images: boolean,
  notices: NoticeList,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  signal.throwIfAborted();
  const { spec, entry, wire, facts, endpoint, apiKey } = parts;
  const answer: AnswerFacts = {};
  const target: Target = {
    provider: entry.name,
    model: spec.model,
    wire: entry.wire,
    facts,
    images,
  };
  const { prompt, resultImages } = buildPrompt(request.system, request.messages, target);
  const level = levelFor(request.thinking, target, notices.add);
  const reasoning = level === undefined ? undefined : wire.reasoningFields?.(level, entry.name);
  const changes: BodyChanges = {
    wire: entry.wire,
    provider: entry.name,
    model: spec.model,
    options: spec.options ?? {},
    reasoning,
    levelGiven: request.thinking !== undefined,
    resultImages,
  };
  const ownFetch = edgeFetch({
    fetch: parts.fetch,
    facts: answer,
    mender: wire.mender(answer),
    query: endpoint.query,
    headers: {
      "user-agent": "nimlet",
      ...endpoint.authorization === undefined ? {} : { authorization: endpoint.authorization },
      ...spec.headers,
    },
    ...changesBody(changes) ? { shapeBody: (body) => shapeBody(body, changes) } : {},
  });
  const model = wire.model({
    provider: entry.name,
    model: spec.model,
    baseUrl: endpoint.base,
    apiKey,
    fetch: ownFetch,
  });
  const failure = (error: unknown) =>
    signal.aborted ? signal.reason : classify(answer.fault, error, {
      provider: entry.name,
      model: spec.model,
      endpoint: endpoint.base,
      hasKey: apiKey !== undefined,
      secrets: secretsOf(parts),
      tools: request.tools.map((tool) => tool.name),
      now: Date.now(),
    });
  const own = wire.callOptions(request, level, facts);
  const options: LanguageModelV4CallOptions = {
    prompt,
    maxOutputTokens: outputCap(request.maxOutputTokens, level, target),
    ...request.tools.length === 0 ? {} : { tools: toolsFor(request, target, notices.add) },
    abortSignal: signal,
    ...own,
  };
  yield* notices.take();
  try {
    const { stream } = await model.doStream(options);
    const events = modelEvents(stream, {
      facts: answer,
      provider: entry.name,
      usedIds: usedIds(request.messages),
      usage: () => usageOf(entry.wire, answer.usage, facts.prices),
      warn: notices.add,
      clean: (text) => redact(text, secretsOf(parts)),
      failure,
    });
    for await (const event of events) {
      yield* notices.take();
      yield event;
    }
  } catch (error) {
    throw error instanceof ModelError ? error : failure(error);
  }
}

function toolsFor(
  request: ModelRequest,
  target: Target,
  notice: (sentence: string) => void,
): LanguageModelV4FunctionTool[] {
  return request.tools.map((tool, at): LanguageModelV4FunctionTool => {
    const { schema, simplified } = sentSchema(tool.inputSchema, target.wire);
    if (simplified) {
      notice(
        `The schema of the tool ${tool.name} is sent in a simpler form that ${target.provider} takes.`,
      );
    }
    const last = at === request.tools.length - 1;
    return {
      type: "function",
      name: tool.name,
      description: wellFormed(tool.description),
      inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"],
      ...last && target.wire === "anthropic"
        ? { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }
        : {},
    };
  });
}

function levelFor(
  wanted: ThinkingLevel | undefined,
  target: Target,
  notice: (sentence: string) => void,
): ThinkingLevel | undefined {
  if (wanted === undefined) return undefined;
  const { thinking } = target.facts;
  const level = nearestLevel(wanted, thinking);
  if (level === wanted) {
    // A model that never thinks needs no word about it.
    return level === "none" && thinking.length === 1 ? undefined : level;
  }
  if (level === undefined || level === "none") {
    notice(`${target.model} has no thinking levels; the level ${wanted} is not sent.`);
    return undefined;
  }
  notice(`${target.model} has no thinking level ${wanted}; the nearest, ${level}, is used.`);
  return level;
}

function hasImage(message: Message): boolean {
  return message.content.some((part) => part.type === "image");
}

function refusesContent(error: unknown): boolean {
  return error instanceof ModelError &&
    ((error.kind === "request" && [400, 415, 422].includes(error.details.status ?? 400)) ||
      (error.kind === "overflow" && error.details.status === 413));
}

function usedIds(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "tool_use") ids.add(part.id);
  }
  return ids;
}

/** What no message may show: the key, header values, and credentials of the address. */
function secretsOf({ spec, endpoint, apiKey }: SdkModelParts): string[] {
  // A short header is a word of the language rather than a secret.
  const headers = Object.values(spec.headers ?? {}).filter((value) => value.length > 5);
  const secrets = [apiKey ?? "", ...headers];
  if (endpoint.authorization !== undefined) {
    const encoded = endpoint.authorization.slice("Basic ".length);
    secrets.push(encoded, ...atob(encoded).split(":"));
  }
  for (const [, value] of new URLSearchParams(endpoint.query)) secrets.push(value);
  return secrets.filter((secret) => secret !== "");
}
