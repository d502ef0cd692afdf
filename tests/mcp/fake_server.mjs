// A server on stdio that misbehaves on demand: fake_server.mjs <scenario,...>
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { appendFileSync, writeSync } from "node:fs";
import process from "node:process";

const scenarios = new Set((process.argv[2] ?? "").split(","));
const has = (name) => scenarios.has(name);
const log = process.env.FAKE_LOG;
const note = (text) => log && appendFileSync(log, `${text}\n`);
note(`started ${process.pid}`);

/** Every member of a message, whether it has any or not. */
const nulls = has("nulls")
  ? { id: null, method: null, params: null, result: null, error: null }
  : {};
function write(message) {
  const line = `${JSON.stringify({ jsonrpc: "2.0", ...nulls, ...message })}${
    has("crlf") ? "\r\n" : "\n"
  }`;
  if (!has("split")) return process.stdout.write(line);
  // a byte at a time: letters are cut in two
  for (const byte of Buffer.from(line)) writeSync(1, new Uint8Array([byte]));
}
const reply = (id, result) =>
  write({
    id: has("text_ids") ? String(id) : id,
    result,
    ...has("null_errors") && { error: null },
  });
const fail = (id, code, message, data) =>
  write({ id: has("no_error_ids") ? null : id, error: { code, message, data } });
const text = (value, more = {}) => ({ content: [{ type: "text", text: value }], ...more });
const object = { type: "object", properties: {} };
const tool = (name, more = {}) => ({
  name,
  description: `${name} it`,
  inputSchema: object,
  ...more,
});

if (has("banner")) process.stdout.write("Fake server is ready\n\n{ not json\n");
if (has("long_banner")) process.stdout.write(`${"=".repeat(17 * 1024 * 1024)}\n`);
if (has("endless_line")) setInterval(() => process.stdout.write("x".repeat(100_000)), 1);
if (has("flood")) setInterval(() => process.stdout.write("DEBUG tick\n".repeat(5000)), 1);
if (has("bom")) process.stdout.write("\ufeff");
if (has("deaf")) process.on("SIGTERM", () => note("TERM"));
if (has("grandchild") || has("stray")) {
  const child = spawn("sleep", ["300"], { stdio: "ignore", detached: has("stray") });
  note(`grandchild ${child.pid}`);
  child.unref();
}
if (has("tell_all")) {
  process.stderr.write(`${JSON.stringify(process.env)} ${process.argv.join(" ")}\n`);
  process.exit(1);
}
if (has("early_exit")) {
  process.stderr.write("no such module: left-pad\n");
  process.exit(7);
}

let tools = [
  tool("echo", {
    description: has("other_words") ? "Echo, and more." : "Echoes a text.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  }),
  tool("read", { annotations: { readOnlyHint: true } }),
];
if (!has("few")) {
  for (
    const name of [
      ...["slow", "crash", "huge", "env", "mixed", "broken", "ask", "grow", "wrong", "silent"],
      ...["twice", "empty", "raw", "id_last", "big_news", "storm", "deep_result"],
    ]
  ) tools.push(tool(name));
}
if (has("bad_tools")) {
  const refers = { type: "object", properties: { a: { $ref: "https://x.example/s" } } };
  tools.push(
    tool("schema_is_text", { inputSchema: { type: "string" } }),
    { name: "no_schema", description: "has none" },
    tool("required_inside", { inputSchema: { type: "object", properties: { required: ["x"] } } }),
    tool("echo"),
    tool("no_type", { inputSchema: { properties: { a: { type: "string" } } } }),
    tool("outside", { inputSchema: refers }),
    tool("hints", { annotations: { readOnlyHint: "yes" } }),
    null,
    7,
    { description: "no name" },
  );
}
if (has("odd_names")) {
  tools = [tool("a.b"), tool("a/b"), tool("A_B"), tool("a_b"), tool("x".repeat(90))];
}
if (has("fourteen")) tools.length = 14;
if (has("reversed")) tools.reverse();
if (has("odd_schema")) {
  tools = [tool("odd", {
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      anyOf: [
        { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
        { type: "object", properties: { names: { type: "array" } }, required: ["names"] },
      ],
    },
  })];
}
const evil = "\u{e0041}\u{e0042}\u202e\u200b\x1b[31m";
if (has("hidden_text")) {
  const described = { a: { type: "string", description: `a${evil}b` } };
  tools = [
    tool("hide", {
      description: `fine${evil} text`,
      inputSchema: { type: "object", properties: described },
    }),
    tool(`na${evil}me`),
    tool("link"),
    tool("wrong"),
  ];
}
if (has("typed")) {
  const outputSchema = { type: "object", properties: { n: { type: "number" } } };
  tools = [tool("typed", { outputSchema })];
}
if (has("giant")) {
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, described(n)]));
  tools = Array.from(
    { length: 1500 },
    (_, n) => tool(`t${n}`, { inputSchema: { type: "object", properties: wide } }),
  );
}
if (has("deep")) {
  const nested = (levels) => `${'{"not":'.repeat(levels)}{}${"}".repeat(levels)}`;
  tools.push(
    tool("deep", { inputSchema: { type: "object", properties: { a: JSON.parse(nested(5000)) } } }),
    tool("long", { inputSchema: { type: "object", description: "x".repeat(70_000) } }),
    tool("slow_pattern", {
      inputSchema: {
        type: "object",
        properties: { a: { type: "string", pattern: "^(a+)+$" } },
        required: ["a"],
      },
    }),
    tool("own_reference", {
      inputSchema: {
        type: "object",
        properties: { a: { $ref: "#/$defs/a" } },
        $defs: { a: { type: "object", properties: { b: { $ref: "#/$defs/a" } } } },
      },
    }),
  );
}
if (has("many")) {
  tools = Array.from({ length: 150 }, (_, n) => tool(`t${String(n).padStart(3, "0")}`));
}

function described(n) {
  return { type: "string", description: `The value of number ${n}, which is as good as any.` };
}

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
  "awAAAABJRU5ErkJggg==";
const running = new Map();

function call(id, { name, arguments: args = {}, _meta }) {
  note(`call ${name} ${JSON.stringify(args)}`);
  switch (name) {
    case "echo":
      return reply(id, text(String(args.text)));
    case "slow": {
      let n = 0;
      const timer = setInterval(() => {
        n++;
        const params = {
          progressToken: _meta.progressToken,
          progress: n,
          total: 100,
          message: "on",
        };
        write({ method: "notifications/progress", params });
        if (n !== args.parts) return;
        clearInterval(timer);
        reply(id, text("slow is done"));
      }, args.every ?? 100);
      return running.set(id, timer);
    }
    case "silent":
      return;
    case "raw":
      return reply(id, args.result ?? null);
    case "deep_result":
      return reply(id, { structuredContent: JSON.parse("[".repeat(4000) + "]".repeat(4000)) });
    case "empty":
      return reply(id, {});
    case "twice":
      reply(id, text("first"));
      return reply(id, text("second"));
    case "crash":
      process.stderr.write("segfault, more or less\n");
      return process.exit(3);
    case "huge":
      return reply(id, text("x".repeat(args.bytes ?? 50_000_000)));
    case "id_last": {
      // what lies within comes first, and looks like the answer's own id
      const result = { structuredContent: { id: 1, text: "x".repeat(17_000_000) }, ...text("") };
      return process.stdout.write(`${JSON.stringify({ result, jsonrpc: "2.0", id })}\n`);
    }
    case "big_news": {
      const data = "x".repeat(17_000_000);
      write({ method: "notifications/message", params: { level: "info", data } });
      return reply(id, text("after the news"));
    }
    case "storm": {
      for (let n = 0; n < 500; n++) {
        tools = [...tools, tool(`storm${n}`)];
        write({ method: "notifications/tools/list_changed" });
      }
      return reply(id, text("storm is over"));
    }
    case "env":
      return reply(id, text(JSON.stringify({ ...process.env, cwd: process.cwd() })));
    case "mixed":
      return reply(id, {
        content: [
          { type: "text", text: "first" },
          { type: "image", data: picture, mimeType: "image/png" },
          { type: "image", data: "bm8gcGljdHVyZQ==", mimeType: "image/png" },
          { type: "audio", data: "AAAA", mimeType: "audio/wav" },
          { type: "resource_link", uri: "file:///x/y.txt", name: "y", description: "why" },
          {
            type: "resource",
            resource: { uri: "mem://1", mimeType: "text/plain", text: "inside" },
          },
          {
            type: "resource",
            resource: { uri: "mem://2", mimeType: "application/pdf", blob: "JVBERg==" },
          },
          { type: "hologram", data: 1 },
        ],
        structuredContent: { base64: picture },
      });
    case "typed":
      return reply(id, text("kept?", { structuredContent: { n: "no number" } }));
    case "broken":
      return reply(id, text("it did not work", { isError: true }));
    case "wrong":
      return fail(id, -32602, `no${evil} such thing`);
    case "link":
      return reply(id, { content: [{ type: "resource_link", uri: `file:///${evil}x` }] });
    case "ask":
      write({ id: "s1", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
      write({ id: "s2", method: "roots/list" });
      write({ id: "s3", method: "ping" });
      return running.set("asked", { id, answers: [] });
    case "grow":
      tools = [...tools, tool("late")];
      write({ method: "notifications/tools/list_changed" });
      return reply(id, text("grown"));
    default:
      return reply(id, text(`${name} was called`));
  }
}

function handle(message) {
  const { id, method, params = {} } = message;
  if (method === undefined) {
    const asked = running.get("asked");
    asked?.answers.push(message.error?.code ?? message.result);
    if (asked?.answers.length === 3) reply(asked.id, text(JSON.stringify(asked.answers)));
    return;
  }
  note(method);
  if (has("stateless")) {
    const revision = params._meta?.["io.modelcontextprotocol/protocolVersion"];
    if (revision !== "2026-07-28") {
      const data = { supported: ["2026-07-28"] };
      return write({ id, error: { code: -32022, message: "Unsupported protocol version", data } });
    }
    if (method === "server/discover") {
      return reply(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
    }
  }
  if (has("requests")) write({ id: 99, method: "ping" });
  switch (method) {
    case "initialize":
      if (has("hang")) return;
      if (has("refuse")) return fail(id, -32603, "the database is not reachable");
      if (has("knows_older") && params.protocolVersion !== "2025-03-26") {
        return fail(id, -32602, "Unsupported protocol version", { supported: ["2025-03-26"] });
      }
      if (has("refuse_oddly")) return write({ id, error: "no" });
      return setTimeout(() =>
        reply(id, {
          protocolVersion: has("ancient")
            ? "1999-01-01"
            : has("old")
            ? "2024-11-05"
            : has("newest")
            ? "2026-07-28"
            : params.protocolVersion,
          capabilities: has("no_tools") ? {} : {
            tools: has("plain_tools") ? true : { listChanged: false },
            ...has("others") ? { prompts: {}, resources: {} } : {},
          },
          serverInfo: { name: "fake", version: "1.0.0" },
          instructions: `Use echo.${evil}`,
        }), has("late") ? 700 : 0);
    case "server/discover":
      if (has("newest")) {
        return reply(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
      }
      if (has("exits_at_discover")) process.exit(1);
      return has("hangs_at_discover") ? undefined : fail(id, -32601, "Method not found");
    case "notifications/cancelled":
      note(`cancelled ${params.requestId}`);
      return clearInterval(running.get(params.requestId));
    case "tools/list": {
      if (has("noise")) process.stdout.write("DEBUG listing tools\n");
      if (has("loop")) return reply(id, { tools: tools.slice(0, 2), nextCursor: "same" });
      if (has("endless")) {
        const n = Number(params.cursor ?? 0);
        return reply(id, { tools: [tool(`t${n}`)], nextCursor: String(n + 1) });
      }
      if (!has("pages")) return reply(id, { tools });
      const at = Number(params.cursor ?? 0), more = at + 4 < tools.length;
      const page = { tools: tools.slice(at, at + 4) };
      return reply(id, more ? { ...page, nextCursor: String(at + 4) } : page);
    }
    case "prompts/list":
      return reply(id, { prompts: [{ name: "a" }], nextCursor: "1" });
    case "resources/list":
      return fail(id, -32603, "none today");
    case "notifications/initialized":
      if (has("logs")) {
        const data = { text: `\x1b[31mhot, ${process.env.KEY}` };
        write({ method: "notifications/message", params: { level: "info", logger: "db", data } });
      }
      return;
    case "tools/call":
      return call(id, params);
    default:
      if (id !== undefined) fail(id, -32601, "Method not found");
  }
}

let rest = Buffer.alloc(0);
process.stdin.on("data", (piece) => {
  rest = Buffer.concat([rest, piece]);
  for (let at; (at = rest.indexOf(10)) >= 0; rest = rest.subarray(at + 1)) {
    const line = rest.subarray(0, at).toString();
    if (line.trim() !== "") handle(JSON.parse(line));
  }
});
process.stdin.on("end", () => {
  note("stdin ended");
  if (has("deaf")) setInterval(() => {}, 1000);
  else process.exit(0);
});
