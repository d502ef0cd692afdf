/** A fake provider that judges each request as a strict server does. */
import type { Json, JsonObject } from "../../src/core/json.ts";
import { errorAnswer, startFakeProvider } from "./fake_provider.ts";
import type { FakeAnswer, RecordedRequest } from "./fake_http.ts";

export interface StrictServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** What was refused, each in a sentence; empty where all was well. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

/** Answers by `answer`; a chat request with a call without its result, or the reverse, gets a 400. */
export function startStrictServer(
  answer: (request: RecordedRequest) => FakeAnswer | Promise<FakeAnswer>,
): StrictServer {
  const refusals: string[] = [];
  const provider = startFakeProvider([async (request) => {
    const problem = unpaired(request.body);
    if (problem === undefined) return await answer(request);
    refusals.push(problem);
    return errorAnswer(400, problem);
  }], { repeatLast: true });
  return { url: provider.url, requests: provider.requests, refusals, close: provider.close };
}

/** The messages of a chat request. */
export function messagesOf(body: JsonObject): JsonObject[] {
  return body.messages as JsonObject[];
}

/** The text of a message, whatever form its content has. */
export function contentOf(message: JsonObject | undefined): string {
  const content: Json | undefined = message?.content;
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

function unpaired(body: JsonObject): string | undefined {
  let open: string[] = [];
  for (const message of messagesOf(body)) {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!open.includes(id)) return `a result without its call: ${id}`;
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) return `calls without results: ${open.join(", ")}`;
    const calls = message.tool_calls as JsonObject[] | undefined;
    open = calls?.map(({ id }) => String(id)) ?? [];
  }
  return open.length > 0 ? `calls without results: ${open.join(", ")}` : undefined;
}
