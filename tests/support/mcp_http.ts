/** A server of the Model Context Protocol over HTTP, on loopback, that can misbehave. */
import type { JsonObject } from "../../src/core/json.ts";
import { type FakeAnswer, listenHttp, type RecordedRequest } from "./fake_http.ts";

export interface McpHttp {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** The methods of the protocol that were asked for, in order. */
  methods(): string[];
  close(): Promise<void>;
}

/** What an answer is made of; undefined: the usual one. */
export type Special = (
  message: JsonObject,
  request: RecordedRequest,
) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

export const tools = [{
  name: "echo",
  description: "Echoes.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
}];

export function json(
  id: unknown,
  result: unknown,
  headers: Record<string, string> = {},
): FakeAnswer {
  const body = JSON.stringify({ jsonrpc: "2.0", id, result });
  return { headers: { "content-type": "application/json", ...headers }, body };
}

export function rpcError(status: number, id: unknown, code: number, message: string): FakeAnswer {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
  return { status, headers: { "content-type": "application/json" }, body };
}

/** Events from texts, each a message or a whole event. */
export function events(
  pieces: readonly (JsonObject | string)[],
  ending: FakeAnswer["ending"] = "close",
): FakeAnswer {
  return {
    headers: { "content-type": "text/event-stream" },
    pieces: pieces.map((piece) =>
      typeof piece === "string"
        ? piece
        : `data: ${JSON.stringify({ jsonrpc: "2.0", ...piece })}\n\n`
    ),
    ending,
  };
}

export function startMcpHttp(special: Special = () => undefined): McpHttp {
  const requests: RecordedRequest[] = [];
  const server = listenHttp(async (request) => {
    requests.push(request);
    return await special(request.body, request) ?? usual(request);
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    requests,
    methods: () => requests.map(({ method, body }) => String(body.method ?? method)),
    close: () => server.close(),
  };
}

function usual({ method, body: { id, method: asked, params } }: RecordedRequest): FakeAnswer {
  if (method === "DELETE") return { status: 204 };
  if (id === undefined) return { status: 202 };
  switch (asked) {
    case "initialize":
      return json(id, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "http", version: "1" },
      }, { "mcp-session-id": "s1" });
    case "tools/list":
      return json(id, { tools });
    case "tools/call": {
      const { arguments: { text } } = params as { arguments: JsonObject };
      return json(id, { content: [{ type: "text", text: `Echo: ${text}` }] });
    }
    default:
      return rpcError(200, id, -32601, "Method not found");
  }
}
