/** The worker's side of aimock.ts: one server, whose fixtures are replaced from test to test. */
import { type JournalEntry, LLMock } from "@copilotkit/aimock";
import type { MockRequest, ToMock } from "./aimock.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ToMock>) => void;
  postMessage(message: unknown): void;
};
let mock: LLMock | undefined;

scope.onmessage = async ({ data }) => scope.postMessage(await answerTo(data));

async function answerTo(message: ToMock): Promise<unknown> {
  switch (message.kind) {
    case "start":
      // `strict`: a request that no fixture is for gets a 503.
      mock = new LLMock({
        host: "127.0.0.1",
        port: 0,
        strict: true,
        chunkSize: 5,
        auth: { apiKeys: [message.key] },
      });
      return await mock.start();
    case "play":
      mock!.reset();
      for (const [match, response, options] of message.fixtures) mock!.on(match, response, options);
      return;
    case "requests":
      return mock!.getRequests().map(asRequest);
  }
}

function asRequest({ body, response }: JournalEntry): MockRequest {
  const answer = response.chaosAction ?? (response.interrupted ? "cut" : response.status);
  const messages = body !== null && "messages" in body ? body.messages as unknown : [];
  return JSON.parse(JSON.stringify({ answer, messages }));
}
