/** The model of a provider: one request, and the next one where the server refused something. */
import type { Message } from "../core/message.ts";
import { RunFailure } from "../core/failure.ts";
import { type ChatModel, ModelError, type ModelEvent, type ModelRequest } from "../core/model.ts";
import { proxyFor } from "../host/http_client.ts";
import { type Adjustments, changeAfter } from "./adjustments.ts";
import type { ModelSpec } from "./create_model.ts";
import { answerBytes } from "./http/answer_bytes.ts";
import { receive, send } from "./http/exchange.ts";
import { failureOf } from "./http/failure.ts";
import { redact } from "./http/redact.ts";
import type { ModelFacts } from "./models/model_facts.ts";
import {
  buildRequest,
  type BuiltRequest,
  type Destination,
  noticeList,
  type RequestForm,
} from "./request.ts";
import { addressKeeper, secretsOf, type Server } from "./server.ts";
import { usageOf } from "./usage.ts";
import { createAnswer } from "./wires/answer.ts";
import { conversationMemo } from "./wires/conversation.ts";
import type { Target, Wire } from "./wires/wire.ts";

export interface ModelParts {
  readonly spec: ModelSpec & { readonly model: string };
  readonly server: Server;
  readonly wire: Wire;
  readonly facts: ModelFacts;
  readonly fetch: typeof fetch;
}

/** Changes of a request in a row before its failure counts. */
const maxChanges = 4;

export function providerModel(parts: ModelParts): ChatModel {
  const { spec, server, facts } = parts;
  const { entry, endpoint } = server;
  const notices = noticeList();
  const destination: Destination = {
    wire: parts.wire,
    server,
    addressOf: addressKeeper(server),
    options: spec.options ?? {},
  };
  const formWith = (adjustments: Adjustments, before?: RequestForm): RequestForm => {
    const { images, alternate } = adjustments;
    if (images === before?.target.images && alternate === before.target.alternate) {
      return { ...before, adjustments };
    }
    const target: Target = {
      provider: entry.name,
      model: spec.model,
      profile: entry.profile ?? entry.wire,
      facts,
      images,
      alternate,
    };
    return { target, memo: conversationMemo(target), adjustments };
  };
  let form = formWith({
    images: facts.images,
    simpleSchemas: false,
    alternate: false,
    fields: new Map(),
  });

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncIterable<readonly ModelEvent[]> {
    let tried = form;
    let guessed: unknown;
    const changes: string[] = [];
    for (;;) {
      let begun = false;
      const built = buildRequest(request, destination, tried, notices);
      const noticed = notices.take();
      if (noticed.length > 0) yield noticed;
      try {
        for await (const batch of ask(parts, tried, request, built, signal)) {
          if (!begun && batch.length > 0) {
            begun = true;
            form = tried;
            for (const change of changes) notices.add(change);
            if (changes.length > 0) yield notices.take();
          }
          yield batch;
        }
        return;
      } catch (error) {
        if (begun || signal.aborted || !(error instanceof ModelError)) throw error;
        const change = changes.length < maxChanges
          ? changeAfter(error, tried.adjustments, {
            provider: entry.name,
            model: spec.model,
            hasImages: request.messages.some(hasImage),
            hasTools: request.tools.length > 0,
            fields: built.fields,
          })
          : undefined;
        if (change === undefined) throw guessed ?? error;
        if (request.keepImages === true && tried.adjustments.images !== change.adjustments.images) {
          throw new RunFailure("usage", `--strict: ${change.notice} ${error.message}`);
        }
        if (!change.isCertain) guessed ??= error;
        changes.push(change.notice);
        tried = formWith(change.adjustments, tried);
      }
    }
  }
  return {
    provider: entry.name,
    model: spec.model,
    endpoint: endpoint.base,
    contextWindow: spec.contextWindow || facts.contextWindow,
    // OpenRouter says itself what an answer has cost
    hasPrices: facts.prices !== undefined || entry.name === "openrouter",
    get takesImages() {
      return form.adjustments.images;
    },
    stream,
  };
}

async function* ask(
  parts: ModelParts,
  { target, memo }: RequestForm,
  request: ModelRequest,
  built: BuiltRequest,
  signal: AbortSignal,
): AsyncIterable<readonly ModelEvent[]> {
  signal.throwIfAborted();
  const answer = createAnswer();
  const reader = parts.wire.reader(answer, target, request.tools.map(({ name }) => name));
  const secrets = secretsOf(parts.server);
  const failure = () => {
    if (signal.aborted) return signal.reason;
    const proxy = proxyFor(built.url);
    return failureOf(answer.fault!, {
      provider: target.provider,
      model: target.model,
      endpoint: parts.server.endpoint.base,
      hasKey: parts.server.apiKey !== undefined,
      secrets,
      tools: request.tools.map((tool) => tool.name),
      now: Date.now(),
      ...proxy === undefined ? {} : { proxy: `${proxy.address} (${proxy.variable})` },
    });
  };
  const body = await send({ ...built, fetch: parts.fetch }, answer, signal);
  memo.spare = built.body.buffer;
  if (body === undefined) throw failure();
  for await (const _ of receive(body, answer, answerBytes(answer, reader))) {
    if (signal.aborted) throw signal.reason;
    yield answer.drain();
  }
  const last = answer.fault === undefined
    ? answer.finish(
      usageOf(reader.usage(), parts.facts.prices),
      (text) => redact(text, secrets),
      built.maxOutputTokens,
    )
    : undefined;
  if (last === undefined) throw failure();
  yield last;
}

function hasImage(message: Message): boolean {
  return message.content.some((part) => part.type === "image");
}
