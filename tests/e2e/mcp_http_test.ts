import assert from "node:assert/strict";
import { type McpGround, withMcp } from "../support/mcp.ts";
import { installed, testWhere } from "../support/test_where.ts";
import { until } from "../support/until.ts";
import {
  events,
  json,
  type McpHttp,
  rpcError,
  type Special,
  startMcpHttp,
  tools,
} from "../support/mcp_http.ts";

type Settings = { [key: string]: unknown };

/** A server named `web`, and the ground. */
async function withWeb(
  special: Special | undefined,
  use: (web: McpHttp, ground: McpGround) => Promise<void>,
  more: Settings = {},
): Promise<void> {
  await withMcp(async (ground) => {
    const web = startMcpHttp(special);
    try {
      await ground.servers({ web: { url: web.url, ...more } });
      await use(web, ground);
    } finally {
      await web.close();
    }
  });
}

const call = (text: string) => ["mcp__web__echo", { text }] as const;
const echo = (id: unknown, text = "Echo: hi") => ({
  id: id as number,
  result: { content: [{ type: "text", text }] },
});

Deno.test("a server over HTTP: handshake, session, list, call, farewell", () =>
  withWeb(undefined, async (web, { run }) => {
    const { outputs, diagnostics, offered } = await run([call("hi")]);
    assert.deepEqual([outputs, diagnostics, offered[0]], [["Echo: hi"], [], ["mcp__web__echo"]]);
    assert.deepEqual(web.methods(), [
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/call",
      "DELETE",
    ]);
    for (const [index, { headers }] of web.requests.entries()) {
      assert.equal(headers["mcp-session-id"], index === 0 ? undefined : "s1");
      assert.equal(headers["mcp-protocol-version"], index === 0 ? undefined : "2025-11-25");
      if (index < 4) assert.equal(headers.accept, "application/json, text/event-stream");
    }
  }));

Deno.test("an answer in a stream of events, with progress and news before it", () =>
  withWeb(
    ({ method, id, params }) => {
      if (method !== "tools/call") return undefined;
      const { _meta } = params as { _meta: { progressToken: number } };
      return events([
        ": hello\n\n",
        {
          method: "notifications/progress",
          params: { progressToken: _meta.progressToken, progress: 1 },
        },
        "event: message\r\ndata: not json\r\n\r\n",
        echo(id),
        // what comes after the answer is not waited for
      ], "hang");
    },
    async (_web, { run }) => {
      const { outputs, records } = await run([call("hi")]);
      assert.deepEqual(outputs, ["Echo: hi"]);
      assert.ok(records.some(({ type, delta }) => type === "tool_output_delta" && delta === "1\n"));
    },
  ));

Deno.test("a stream that breaks is taken up again where it broke off; one without an id is not", () =>
  withWeb(
    ({ method, id, params }, { method: http, headers }) => {
      if (http === "GET") {
        return headers["last-event-id"] === "e1"
          ? events(["id: e2\nretry: 10\ndata: \n\n"])
          : events([echo(3)]);
      }
      if (method !== "tools/call") return undefined;
      const { arguments: { text } } = params as { arguments: { text: string } };
      return text === "again"
        ? events(["id: e1\nretry: 20\ndata: \n\n"])
        : events([{ method: "notifications/message", params: {} }], id === -1 ? "close" : "cut");
    },
    async (web, { run }) => {
      const { outputs } = await run([call("again"), call("lost")]);
      assert.equal(outputs[0], "Echo: hi");
      assert.match(
        outputs[1]!,
        /^tool_failed: web closed the connection during the call; whether it took effect/,
      );
      assert.equal(web.methods().filter((method) => method === "GET").length, 2);
      assert.equal(web.methods().filter((method) => method === "tools/call").length, 2);
    },
  ));

Deno.test("a session that is forgotten is begun anew, and the call is made once, with the new list", () => {
  let forgotten = false, calls = 0;
  return withWeb(
    ({ method, id }, { headers }) => {
      if (method === "tools/call" && headers["mcp-session-id"] === "s1") {
        forgotten = true;
        return { status: 404 };
      }
      if (method === "tools/call") {
        calls++;
        return undefined;
      }
      if (!forgotten) return undefined;
      if (method === "initialize") {
        return json(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} } }, {
          "mcp-session-id": "s2",
        });
      }
      return method === "tools/list"
        ? json(id, { tools: [...tools, { ...tools[0], name: "more" }] })
        : undefined;
    },
    async (web, { run }) => {
      const { outputs, offered } = await run([call("hi")]);
      assert.deepEqual([outputs, calls], [["Echo: hi"], 1]);
      assert.deepEqual(offered[1], ["mcp__web__echo", "mcp__web__more"]);
      assert.equal(web.requests.at(-1)!.headers["mcp-session-id"], "s2");
      assert.equal(web.requests.at(-1)!.headers["mcp-protocol-version"], "2025-06-18");
    },
  );
});

Deno.test("a session that is forgotten twice fails the call; the next one begins anew", () => {
  let calls = 0;
  return withWeb(
    ({ method }) => method === "tools/call" && ++calls <= 2 ? { status: 404 } : undefined,
    async (_web, { run }) => {
      const { outputs } = await run([call("a"), call("b")]);
      assert.deepEqual(outputs, ["tool_failed: web has forgotten the session (404).", "Echo: b"]);
      assert.equal(calls, 3);
    },
  );
});

Deno.test("a server that is busy is asked once more, if it says when", () => {
  let asked = 0;
  return withWeb(
    ({ method }) => {
      if (method !== "tools/call") return undefined;
      asked++;
      if (asked === 1) return { status: 503, headers: { "retry-after": "0" } };
      return asked === 2 ? undefined : { status: 429, headers: { "retry-after": "60" } };
    },
    async (_web, { run }) => {
      const { outputs } = await run([call("a"), call("b")]);
      assert.deepEqual(outputs, ["Echo: a", "tool_failed: web answered 429."]);
      assert.equal(asked, 3);
    },
  );
});

Deno.test("a redirect at the same origin is followed with the headers; elsewhere it is not, and no header goes there", async () => {
  const other = startMcpHttp();
  try {
    await withWeb(
      (_message, { path }) => {
        if (path === "/mcp") return { status: 307, headers: { location: "/mcp/" } };
        return undefined;
      },
      async (web, { run }) => {
        const { outputs } = await run([call("hi")]);
        assert.deepEqual(outputs, ["Echo: hi"]);
        assert.ok(web.requests.every(({ headers }) => headers["x-secret-key"] === "k"));
        // known from the first answer on
        assert.equal(web.requests.filter(({ path }) => path === "/mcp").length, 1);
      },
      { headers: { "x-secret-key": "k" } },
    );
    await withWeb(
      () => ({ status: 307, headers: { location: other.url } }),
      async (_web, { run }) => {
        const { diagnostics } = await run([]);
        const { origin } = new URL(other.url);
        assert.deepEqual(diagnostics, [
          `mcp server web: it moved to ${origin}: put that address into url.`,
        ]);
      },
      { headers: { "x-secret-key": "k" } },
    );
    await withWeb(
      () => ({ status: 302, headers: { location: "/elsewhere" } }),
      async (web, { run }) => {
        const { diagnostics } = await run([]);
        assert.match(diagnostics[0]!, /it moved to http:/);
        assert.equal(web.requests.length, 1);
      },
    );
    assert.equal(other.requests.length, 0);
  } finally {
    await other.close();
  }
});

Deno.test("a refusal of credentials names the setting; no login is tried, and no secret is shown", async () => {
  const refuse: Special = () => ({
    status: 401,
    headers: {
      "www-authenticate":
        'Bearer resource_metadata="https://login.example/.well-known/x?y=1", error="no"',
    },
  });
  await withWeb(refuse, async (web, { run }) => {
    const { diagnostics } = await run([]);
    assert.deepEqual(diagnostics, [
      "mcp server web: it wants a login (401): set bearer_token or bearer_command; it describes its login at " +
      "https://login.example/.well-known/x.",
    ]);
    assert.equal(web.requests.length, 1);
  });
  await withWeb(refuse, async (web, { run }) => {
    const { diagnostics, stderr, records } = await run([], [], { MY_TOKEN: "s3cret" });
    assert.deepEqual(diagnostics, [
      "mcp server web: it refuses the credentials (401) that bearer_token gives.",
    ]);
    assert.equal(web.requests[0]!.headers.authorization, "Bearer s3cret");
    assert.ok(!(stderr + JSON.stringify(records)).includes("s3cret"));
  }, { bearer_token: "{env:MY_TOKEN}" });
});

Deno.test("a program gives the token, once, and again where the token is refused", () =>
  withMcp(async ({ servers, run, root }) => {
    const web = startMcpHttp((_message, { headers }) =>
      headers.authorization === "Bearer t2" ? undefined : { status: 401 }
    );
    try {
      const script = `${root}/token.sh`;
      await Deno.writeTextFile(
        script,
        `#!/bin/sh\necho x >> ${root}/asked\necho t$(wc -l < ${root}/asked | tr -d ' ')\n`,
        {
          mode: 0o755,
        },
      );
      await servers({ web: { url: web.url, bearer_command: [script] } });
      const { outputs, diagnostics } = await run([call("hi")]);
      assert.deepEqual([outputs, diagnostics], [["Echo: hi"], []]);
      assert.equal(await Deno.readTextFile(`${root}/asked`), "x\nx\n");
      await servers({
        web: {
          url: web.url,
          bearer_command: ["sh", "-c", "echo not here >&2; exit 4"],
          enabled: true,
        },
      });
      const failed = await run([], ["--set", "mcp.servers.web.required=true"]);
      assert.equal(failed.code, 2);
      assert.match(
        JSON.stringify(failed.records),
        /bearer_command sh exited with status 4: not here/,
      );
    } finally {
      await web.close();
    }
  }));

Deno.test("the newest revision: no handshake, no session, headers that say what is asked", () => {
  const wrong: string[] = [];
  const marked = {
    name: "déjà",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    },
  };
  const faulty = {
    name: "faulty",
    inputSchema: { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } },
  };
  return withWeb(
    ({ method, id, params }, { headers }) => {
      const { _meta, name } = (params ?? {}) as { _meta?: Settings; name?: string };
      if (_meta?.["io.modelcontextprotocol/protocolVersion"] !== "2026-07-28") {
        return rpcError(400, id, -32022, "Unsupported protocol version");
      }
      if (headers["mcp-protocol-version"] !== "2026-07-28" || headers["mcp-method"] !== method) {
        wrong.push(JSON.stringify(headers));
      }
      switch (method) {
        case "server/discover":
          return json(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
        case "tools/list":
          return json(id, { tools: [...tools, marked, faulty], ttlMs: 60_000 });
        default:
          return json(id, {
            resultType: name === "echo" ? "input_required" : "complete",
            content: [{
              type: "text",
              text: `${headers["mcp-name"]} ${headers["mcp-param-region"]}`,
            }],
          });
      }
    },
    async (web, { run }) => {
      const first = await run([]);
      const [named] = first.offered[0]!.filter((name) => name !== "mcp__web__echo");
      assert.match(
        first.diagnostics[0]!,
        /tool "faulty": inputSchema\.properties\.a\.x-mcp-header: expected a string/,
      );
      const { outputs } = await run([[named!, { region: "übersee" }], call("x")]);
      assert.deepEqual(outputs, [
        "=?base64?ZMOpasOg?= =?base64?w7xiZXJzZWU=?=",
        "tool_failed: web asks for further input, which nimlet cannot give.",
      ]);
      assert.deepEqual(wrong, []);
      assert.ok(web.requests.every(({ headers }) => headers["mcp-session-id"] === undefined));
    },
  );
});

Deno.test("answers that are none, and too large ones, fail their call alone", () => {
  const big = `{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"${
    "x".repeat(17 * 1024 * 1024)
  }"}]}}`;
  const answers: ReturnType<Special>[] = [
    { headers: { "content-type": "text/html" }, body: "<html>" },
    { headers: { "content-type": "application/json" }, body: big },
    events([`data: ${big}\n\n`]),
    { headers: { "content-type": "application/json" }, body: "[1]" },
    { status: 500, body: "oops" },
  ];
  return withWeb(
    ({ method }) => method === "tools/call" ? answers.shift() : undefined,
    async (_web, { run }) => {
      const { outputs } = await run(["a", "b", "c", "d", "e", "f"].map(call));
      assert.deepEqual(outputs, [
        "tool_failed: web answered with text/html instead of JSON or events.",
        "tool_failed: web answered with more than 16777216 bytes.",
        "tool_failed: web answered with more than 16777216 bytes.",
        "tool_failed: web answered with no JSON-RPC message.",
        "tool_failed: web answered 500.",
        "Echo: f",
      ]);
    },
  );
});

Deno.test("an address that nobody answers is a sentence without the query", () =>
  withMcp(async ({ servers, run }) => {
    const gone = startMcpHttp();
    await gone.close();
    await servers({ web: { url: `${gone.url}?key=s3cret` } });
    const { diagnostics, code } = await run([]);
    assert.equal(code, 0);
    assert.match(diagnostics[0]!, /^mcp server web: it cannot be reached: .*refused.*\.$/i);
    assert.ok(!diagnostics[0]!.includes("s3cret"));
  }));

Deno.test("an answer that breaks off is not known, and is not asked for again", () => {
  let taken = 0;
  return withWeb(
    ({ method, params }, { method: http }) => {
      if (http === "GET") {
        taken++;
        return { headers: { "content-type": "text/event-stream" }, pieces: [], ending: "cut" };
      }
      if (method !== "tools/call") return undefined;
      const { arguments: { text } } = params as { arguments: { text: string } };
      return text === "json"
        ? {
          headers: { "content-type": "application/json" },
          pieces: ['{"jsonrpc":'],
          ending: "cut",
        }
        : events(["id: e1\nretry: 1\ndata: \n\n"]);
    },
    async (web, { run }) => {
      const { outputs } = await run([call("json"), call("stream")]);
      for (const output of outputs) {
        assert.match(
          output,
          /^tool_failed: web .* during the call; whether it took effect is not known\.$/,
        );
      }
      assert.equal(taken, 5);
      assert.equal(web.methods().filter((method) => method === "tools/call").length, 2);
    },
  );
});

Deno.test("an error that names no request answers the one that it came with", () =>
  withWeb(
    ({ method, id, params }) => {
      if (method === "initialize") return rpcError(200, null, -32601, "no such method");
      if (method === "server/discover") {
        return json(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
      }
      if (method !== "tools/call") return undefined;
      const { arguments: { text } } = params as { arguments: { text: string } };
      return text === "json"
        ? rpcError(200, null, -32000, "the disk is full")
        : events([{ error: { code: -32000, message: "the disk is full" } }]);
    },
    async (_web, { run }) => {
      const { outputs, diagnostics } = await run([call("json"), call("events")]);
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(
        outputs,
        Array(2).fill("tool_failed: web: the disk is full (code -32000)."),
      );
    },
  ));

Deno.test("settings of a request that lead nowhere, or that HTTP cannot carry, are named", async () => {
  for (
    const [more, reason] of [
      [
        { headers: { "x-a": "{env:UNSET_NAME}" } },
        /^mcp server web: .*headers\.x-a: the variable UNSET_NAME is not set\.$/,
      ],
      [
        { bearer_token: "{env:UNSET_NAME}" },
        /^mcp server web: .*bearer_token: the variable UNSET_NAME is not set\.$/,
      ],
      [
        { headers: { "x-a": "{env:ODD}" } },
        /^mcp server web: it cannot be asked: headers\.x-a holds a character that no header can\.$/,
      ],
      [
        { bearer_token: "{env:ODD}" },
        /^mcp server web: it cannot be asked: bearer_token gives no token\.$/,
      ],
      [
        { bearer_token: "t", headers: { authorization: "Basic x" } },
        /mcp server web: headers\.Authorization: is what bearer_token and bearer_command give; skipped$/,
      ],
    ] as const
  ) {
    await withWeb(undefined, async (web, { run }) => {
      const { code, diagnostics } = await run([], [], { ODD: "s3cret\nx-b: 1" });
      assert.deepEqual([code, diagnostics.length, web.requests.length], [0, 1, 0]);
      assert.match(diagnostics[0]!, reason);
      assert.ok(!diagnostics[0]!.includes("s3cret"));
    }, more);
  }
});

Deno.test("a program that gives the token is yours: nothing of the workspace takes its place", () =>
  withMcp(async ({ servers, run, root, home, workspace }) => {
    const web = startMcpHttp(({ id }, { headers }) =>
      headers.authorization === "Bearer mine"
        ? undefined
        : rpcError(401, id, 1, String(headers.authorization))
    );
    try {
      const script = (token: string) =>
        `#!/bin/sh\nenv > ${root}/seen-${token}\npwd >> ${root}/seen-${token}\necho ${token}\n`;
      await Deno.writeTextFile(`${home}/.nimlet/token.sh`, script("mine"), { mode: 0o755 });
      await Deno.writeTextFile(`${workspace}/token.sh`, script("theirs"), { mode: 0o755 });
      for (const command of [["./token.sh"], ["sh", "token.sh"]]) {
        await servers({ web: { url: web.url, bearer_command: command } });
        const { outputs, diagnostics } = await run([call("hi")], [], { OPENAI_API_KEY: "sk-1" });
        assert.deepEqual([outputs, diagnostics], [["Echo: hi"], []]);
      }
      await assert.rejects(Deno.stat(`${root}/seen-theirs`));
      const seen = await Deno.readTextFile(`${root}/seen-mine`);
      assert.doesNotMatch(seen, /sk-1/);
    } finally {
      await web.close();
    }
  }));

for (const revision of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`${revision}: a call that is interrupted or silent is ended there, too`, () => {
    const ended: string[] = [];
    const isStateless = revision === "2026-07-28";
    return withWeb(
      ({ method, id, params }) => {
        if (isStateless && method === "initialize") {
          return rpcError(400, id, -32022, "Unsupported protocol version");
        }
        if (method === "server/discover") {
          return json(id, { supportedVersions: [revision], capabilities: { tools: {} } });
        }
        if (method === "notifications/cancelled") ended.push("cancelled call");
        if (method !== "tools/call") return undefined;
        const { _meta } = params as { _meta: { progressToken: number } };
        const progress = {
          method: "notifications/progress",
          params: { progressToken: _meta.progressToken, progress: 1 },
        };
        return { ...events([progress], "hang"), gone: () => ended.push(`stream ${id}`) };
      },
      async (_web, { run, start }) => {
        const { outputs } = await run([call("silent")]);
        assert.deepEqual(outputs, ["TIMEOUT after 1 s: web did not answer and was told to stop."]);
        await until(() => ended.length === (isStateless ? 1 : 2), "the end at the server");
        assert.deepEqual(
          ended.splice(0).map((what) => what.split(" ")[0]).sort(),
          isStateless ? ["stream"] : ["cancelled", "stream"],
        );
        const program = await start([call("stopped")]);
        await program.waitFor((line) => line.includes('"tool_output_delta"'));
        program.kill("SIGINT");
        const { code, stdout } = await program.ended;
        assert.equal(code, 130);
        assert.match(stdout, /INTERRUPTED \(web was told to stop\)/);
        await until(() => ended.length === (isStateless ? 1 : 2), "the end at the server");
      },
      { call_timeout_seconds: 1 },
    );
  });
}

testWhere(
  installed("openssl", ["version"]),
  "a redirect from https to plain http is not followed; the other way it is, on the same host",
  async () => {
    const plain = startMcpHttp();
    const root = await Deno.makeTempDir({ prefix: "nimlet-tls-" });
    const { success } = await new Deno.Command("openssl", {
      args: [
        ...[
          "req",
          "-x509",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-days",
          "2",
          "-subj",
          "/CN=localhost",
        ],
        ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        ...["-addext", "basicConstraints=critical,CA:FALSE"],
        ...["-keyout", `${root}/key.pem`, "-out", `${root}/cert.pem`],
      ],
      stdout: "null",
      stderr: "null",
    }).output();
    assert.ok(success);
    const cert = await Deno.readTextFile(`${root}/cert.pem`);
    let asked = 0, isMoved = true;
    const secure = startMcpHttp();
    const server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      cert,
      key: await Deno.readTextFile(`${root}/key.pem`),
      onListen() {},
    }, async (request) => {
      asked++;
      if (isMoved) return new Response(null, { status: 307, headers: { location: plain.url } });
      const { method, headers } = request;
      const body = method === "POST" ? await request.text() : null;
      return await fetch(secure.url, { method, headers, body });
    });
    try {
      await withMcp(async ({ servers, run }) => {
        const url = `https://127.0.0.1:${server.addr.port}/mcp`;
        await servers({ web: { url, headers: { "x-secret-key": "k" } } });
        const { diagnostics } = await run([], [], { NIMLET_CA_CERT: `${root}/cert.pem` });
        assert.deepEqual(diagnostics, [
          `mcp server web: it moved to ${new URL(plain.url).origin}: put that address into url.`,
        ]);
        assert.equal(asked, 1);
        assert.equal(plain.requests.length, 0);
        isMoved = false;
        const upgrading = startMcpHttp(() => ({ status: 308, headers: { location: url } }));
        await servers({ web: { url: upgrading.url, headers: { "x-secret-key": "k" } } });
        const { outputs } = await run([call("up")], [], { NIMLET_CA_CERT: `${root}/cert.pem` });
        await upgrading.close();
        assert.deepEqual(outputs, ["Echo: up"]);
        assert.ok(secure.requests.every(({ headers }) => headers["x-secret-key"] === "k"));
        let hops = 0;
        const round = startMcpHttp(() => ({ status: 307, headers: { location: `/${++hops}` } }));
        await servers({ web: { url: round.url } });
        const lost = await run([]);
        await round.close();
        assert.match(lost.diagnostics[0]!, /it moved to http/);
        assert.equal(hops, 4);
      });
    } finally {
      await server.shutdown();
      await secure.close();
      await plain.close();
      await Deno.remove(root, { recursive: true });
    }
  },
);
