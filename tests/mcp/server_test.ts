/** The life of one server, over a transport of the test's own. */
import assert from "node:assert/strict";
import type { McpServerSettings } from "../../src/core/mcp_server.ts";
import { mcpServer } from "../../src/mcp/server.ts";
import type { Message } from "../../src/mcp/protocol.ts";
import type { Transport, TransportEvents } from "../../src/mcp/transport.ts";

const settings: McpServerSettings = {
  name: "s",
  scope: "global",
  file: "/f",
  identity: "s",
  reach: {
    kind: "http",
    url: "http://127.0.0.1:1/",
    shown: "http://127.0.0.1:1/",
    headers: () => ({}),
    headerNames: [],
    secrets: () => [],
  },
  required: false,
  startupTimeoutSeconds: 600,
  callTimeoutSeconds: 600,
  excludeTools: [],
  planTools: [],
  instructions: false,
};

interface Fake {
  readonly transports: FakeTransport[];
  readonly server: ReturnType<typeof mcpServer>;
}

interface FakeTransport extends Transport {
  readonly sent: Message[];
  events: TransportEvents;
  isClosed: boolean;
}

/** A server that answers what `answer` gives, or nothing. */
function fake(
  answer: (message: Message, transport: FakeTransport) => unknown,
  more: Partial<McpServerSettings> = {},
): Fake {
  const transports: FakeTransport[] = [];
  const server = mcpServer({
    settings: { ...settings, ...more },
    version: "1",
    clock: { now: () => 0, monotonic: () => performance.now(), delay: () => Promise.resolve() },
    remembered: undefined,
    listed: () => {},
    open() {
      const transport: FakeTransport = {
        sent: [],
        events: undefined as unknown as TransportEvents,
        isClosed: false,
        open: (events) => void (transport.events = events),
        send(message) {
          transport.sent.push(message);
          const result = answer(message, transport);
          if (result !== undefined && message.id !== undefined) {
            queueMicrotask(() =>
              transport.events.message({ jsonrpc: "2.0", id: message.id!, result })
            );
          }
          return Promise.resolve();
        },
        settle() {},
        close() {
          if (!transport.isClosed) {
            transport.isClosed = true;
            transport.events?.closed("was closed");
          }
          return Promise.resolve();
        },
        cancelsByClosing: false,
        hide: (text) => text,
        words: { errors: "", strayLines: [] },
      };
      transports.push(transport);
      return Promise.resolve(transport);
    },
  });
  return { transports, server };
}

const tool = { name: "t", inputSchema: { type: "object" } };
const usual = ({ method }: Message) =>
  method === "initialize"
    ? { protocolVersion: "2025-11-25", capabilities: { tools: {} } }
    : method === "tools/list"
    ? { tools: [tool] }
    : undefined;

Deno.test("a server that is stopped while it starts is closed at once, and has not failed", async () => {
  const { server, transports } = fake(() => undefined);
  const listed = assert.rejects(server.list());
  while (transports[0]?.sent.length !== 1) await Promise.resolve();
  assert.equal(server.state, "starting");
  await server.stop();
  await listed;
  assert.ok(transports[0]!.isClosed);
  assert.deepEqual([server.state, server.error], ["waiting", undefined]);
});

Deno.test("a server that ends right after its list counts as failed, and is started anew by a call", async () => {
  let isFirst = true;
  const { server, transports } = fake((message, transport) => {
    const answer = message.method === "tools/call" ? { content: [] } : usual(message);
    if (message.method === "tools/list" && isFirst) {
      isFirst = false;
      queueMicrotask(() => queueMicrotask(() => transport.events.closed("exited with status 1")));
    }
    return answer;
  });
  await server.list().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.notEqual(server.state, "running");
  const [offered] = server.known!.tools;
  const never = new AbortController().signal;
  assert.deepEqual(await server.call(offered!, {}, { signal: never, onProgress: () => {} }), {
    content: [],
  });
  assert.equal(transports.length, 2);
});

Deno.test("two calls at once start a server once; an abort ends the wait for its start alone", async () => {
  const { server, transports } = fake((message) =>
    message.method === "tools/call" ? { content: [] } : usual(message)
  );
  await server.list();
  await server.stop();
  const [offered] = server.known!.tools;
  const stop = new AbortController(),
    options = { signal: new AbortController().signal, onProgress: () => {} };
  const given = server.call(offered!, {}, { ...options, signal: stop.signal });
  const kept = server.call(offered!, {}, options);
  stop.abort(new Error("enough"));
  await assert.rejects(given);
  assert.deepEqual(await kept, { content: [] });
  assert.equal(transports.length, 2);
  assert.equal(transports[1]!.sent.filter(({ method }) => method === "tools/call").length, 1);
});

Deno.test("progress keeps a call going, but no longer than thirty times its limit", async () => {
  const { server, transports } = fake((message, transport) => {
    if (message.method !== "tools/call") return usual(message);
    const meta = message.params!._meta as { progressToken: number };
    const timer = setInterval(() =>
      transport.events.message({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: meta.progressToken, progress: 1 },
      }), 10);
    const { close } = transport;
    transport.close = () => {
      clearInterval(timer);
      return close();
    };
    return undefined;
  }, { callTimeoutSeconds: 0.05 });
  await server.list();
  const [offered] = server.known!.tools;
  const start = performance.now();
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  await assert.rejects(server.call(offered!, {}, options), /gave no answer within 1\.5 s/);
  assert.ok(performance.now() - start >= 1400);
  const { params } = transports[0]!.sent.at(-1)!;
  assert.equal(transports[0]!.sent.at(-1)!.method, "notifications/cancelled");
  assert.equal(params!.requestId, 3);
  await server.stop();
});
