import assert from "node:assert/strict";
import { allowsHost, isShorter, parseHostList } from "../../src/core/sandbox_hosts.ts";
import { openProxy, type ProxyOptions } from "../../src/host/sandbox/proxy.ts";
import { internalKind } from "../../src/lib/internal_address.ts";
import { sandboxNeed, withSandbox } from "../support/sandbox.ts";
import { installed, testWhere } from "../support/test_where.ts";

const curl = [sandboxNeed, installed("curl")];
const hosts = [...curl, installed("socat", ["-V"])];

testWhere(
  curl,
  "without a network nothing is reached, and the head says so",
  () =>
    withSandbox({}, async ({ run }) => {
      const { lines, exitCode } = await run("curl -sS https://example.com");
      assert.notEqual(exitCode, 0);
      assert.deepEqual(lines, ["there is no network"]);
    }),
);

testWhere(
  [sandboxNeed, installed("node")],
  "a command's own server is reached",
  () =>
    withSandbox({}, async ({ run }) => {
      const server = 'require("http").createServer((q,r)=>r.end("own")).listen(8099,"127.0.0.1",' +
        '()=>fetch("http://127.0.0.1:8099").then(r=>r.text()).then(t=>{console.log(t);process.exit()}))';
      assert.equal((await run(`node -e '${server}'`)).text, "own\n");
    }),
);

testWhere(
  curl,
  "with the network on the machine's is reached",
  () =>
    withServer((port) =>
      withSandbox({ net: "on" }, async ({ run }) => {
        assert.equal((await run(`curl -sS http://127.0.0.1:${port}/`)).text, "hello");
      })
    ),
);

testWhere(
  hosts,
  "with a list its hosts are reached by proxy, and no others",
  () =>
    withServer((port) =>
      withSandbox({ net: [`127.0.0.1:${port}`] }, async ({ run, told }) => {
        const through = await run(
          `curl -sS http://127.0.0.1:${port}/; curl -sSp http://127.0.0.1:${port}/`,
        );
        assert.equal(through.text, "hellohello");
        assert.deepEqual(through.lines, []);
        const other = await run(
          "curl -sS http://b.test/x; curl -sS https://b.test/; wait; echo waited",
        );
        assert.match(other.text, /nimlet's sandbox: b\.test:80 is not allowed/);
        assert.match(other.text, /403/);
        assert.match(other.text, /waited/);
        assert.deepEqual(other.lines, ["b.test:80 is not allowed", "b.test:443 is not allowed"]);
        assert.deepEqual(told, [
          "sandbox: b.test:80 is not allowed",
          "sandbox: b.test:443 is not allowed",
        ]);
        const direct = await run(
          `curl -sS --noproxy '*' http://127.0.0.1:${port}/ -m 3 && echo reached`,
        );
        assert.doesNotMatch(direct.text, /reached|hello/);
        assert.equal((await run("exit 7")).exitCode, 7);
        const stop = new AbortController();
        const trapped = await run(
          "trap 'echo trapped; exit 3' TERM; echo ready; while :; do sleep 0.05; done",
          { onOutput: () => stop.abort() },
          stop.signal,
        );
        assert.match(trapped.text, /trapped/);
      })
    ),
);

testWhere(
  hosts,
  "names are compared without case and final dot, and what is named must not lead inside",
  () =>
    withServer((port) =>
      withSandbox(
        { net: [`localhost:${port}`, `${Deno.hostname()}:${port}`, "*.localhost"] },
        async ({ run }) => {
          const through = await run(`curl -sS http://LOCALHOST.:${port}/`);
          assert.equal(through.text, "hello");
          // the machine's own name leads to itself
          const own = await run(`curl -sSf http://${Deno.hostname()}:${port}/`);
          assert.equal(own.exitCode, 22, own.text);
          assert.match(own.lines[0]!, /is not allowed, as \S+ is a [\w'-]+( machine's)? address/);
          const below = await run("curl -sSf http://a.localhost/");
          assert.match(
            below.lines[0]!,
            /is not allowed, as \S+ is a loopback address|cannot be found/,
          );
        },
      )
    ),
);

testWhere(
  curl,
  "without a network names are not found either",
  () =>
    withSandbox({}, async ({ run }) => {
      const { exitCode, text } = await run("getent hosts example.com; exit 5");
      assert.equal(exitCode, 5);
      assert.equal(text, "");
    }),
);

async function withServer(use: (port: number) => Promise<void>): Promise<void> {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("hello"),
  );
  await use(server.addr.port);
}

/** What the proxy answers to `request`, with a server that echoes behind every address. */
async function exchange(
  request: string,
  options: Partial<ProxyOptions> = {},
): Promise<{ answer: string; refused: string[]; dialled: string[] }> {
  const folder = await Deno.makeTempDir();
  const refused: string[] = [], dialled: string[] = [];
  const echo = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = (async () => {
    for await (const connection of echo) {
      await connection.readable.pipeTo(connection.writable).catch(() => {});
    }
  })();
  const proxy = openProxy({
    path: `${folder}/s`,
    hosts: ["a.test", "*.b.test", "odd.test:8443"],
    refused: (target, reason) => void refused.push(`${target} ${reason}`),
    resolve: () => Promise.resolve(["8.8.8.8"]),
    dial(address) {
      dialled.push(address);
      return Deno.connect({ hostname: "127.0.0.1", port: (echo.addr as Deno.NetAddr).port });
    },
    ...options,
  });
  try {
    const client = await Deno.connect({ transport: "unix", path: `${folder}/s` });
    await client.write(new TextEncoder().encode(request));
    await client.closeWrite();
    // a connection that is cut off says nothing
    const answer = await new Response(client.readable).text().catch(() => "");
    return { answer, refused, dialled };
  } finally {
    proxy.close();
    echo.close();
    await served;
    await Deno.remove(folder, { recursive: true });
  }
}

const connect = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;

Deno.test("the proxy lets listed hosts through, whatever their case and final dot", async () => {
  for (const target of ["a.test:443", "A.TEST.:443", "x.y.b.test:443", "odd.test:8443"]) {
    const { answer, dialled } = await exchange(`${connect(target)}body`);
    assert.equal(answer, "HTTP/1.1 200 Connection established\r\n\r\nbody", target);
    assert.deepEqual(dialled, ["8.8.8.8"]);
  }
});

Deno.test("the proxy refuses other names, ports and addresses", async () => {
  for (
    const target of [
      "b.test:443",
      "a.test.evil:443",
      "xa.test:443",
      "a.test:22",
      "odd.test:443",
      "8.8.8.8:443",
      "[::1]:443",
      "evilb.test:443",
      "2130706433:443",
      "0x7f.1:443",
    ]
  ) {
    const { answer, refused, dialled } = await exchange(connect(target));
    assert.match(answer, /^HTTP\/1\.1 403 /, target);
    assert.deepEqual(refused, [`${target} is not allowed`]);
    assert.deepEqual(dialled, []);
  }
});

Deno.test("the proxy refuses names that lead inside, and says which kind of address", async () => {
  const kinds: [string, string][] = [
    ["127.0.0.1", "loopback"],
    ["169.254.169.254", "link-local"],
    ["10.1.2.3", "private"],
    ["::ffff:127.0.0.1", "loopback"],
    ["fd00::1", "private"],
    ["0.0.0.0", "unspecified"],
  ];
  for (const [address, kind] of kinds) {
    const { answer, dialled } = await exchange(connect("a.test:443"), {
      resolve: () => Promise.resolve(["8.8.8.8", address]),
    });
    assert.match(answer, new RegExp(`^HTTP/1\\.1 403 [^]*is a ${kind} address`), address);
    assert.deepEqual(dialled, []);
  }
  const own = Deno.networkInterfaces().find(({ family, address }) =>
    family === "IPv4" && internalKind(address) === undefined
  );
  if (own !== undefined) {
    const resolve = () => Promise.resolve([own.address]);
    assert.match((await exchange(connect("a.test:443"), { resolve })).answer, /this machine's/);
  }
  // listed as an address
  const resolve = () => Promise.resolve(["10.1.2.3"]);
  const listed = await exchange(connect("a.test:443"), { hosts: ["a.test", "10.1.2.3"], resolve });
  assert.match(listed.answer, /^HTTP\/1\.1 200 /);
  const failing = () => Promise.reject(new Error("no such name"));
  assert.match(
    (await exchange(connect("a.test:443"), { resolve: failing })).answer,
    /cannot be found/,
  );
});

Deno.test("the proxy takes no request whose host could be read in two ways", async () => {
  for (
    const target of [
      "evil.test\0.b.test:443",
      "evil.test#.b.test:443",
      "evil.test/.b.test:443",
      "user@a.test:443",
      "a.test@evil.test:443",
      "a.test:443:22",
      "[a.test]:443",
      "\x1b[31m.b.test:443",
      "a.test:0",
      "a.test",
    ]
  ) {
    const { answer, dialled } = await exchange(connect(target));
    assert.match(answer, /^(HTTP\/1\.1 400 |$)/, target);
    assert.deepEqual(dialled, []);
  }
  const plain: [string, string][] = [
    ["http://a.test@evil.test/", "evil.test:80"],
    ["http://evil.test\\@a.test/", "evil.test:80"],
    ["http://a.test:22/", "a.test:22"],
    ["http://0x7f000001/", "127.0.0.1:80"],
    ["http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]:80"],
  ];
  for (const [url, target] of plain) {
    const { refused, dialled } = await exchange(`GET ${url} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    assert.deepEqual(refused, [`${target} is not allowed`], url);
    assert.deepEqual(dialled, []);
  }
});

Deno.test("a plain request goes on in the server's own form", async () => {
  const { answer } = await exchange(
    "GET http://u:p@a.test/x?y=1 HTTP/1.1\r\nHost: evil.test\r\nProxy-Authorization: x\r\n" +
      "Connection: keep-alive\r\nAccept: */*\r\n\r\n",
  );
  assert.equal(
    answer,
    "GET /x?y=1 HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nAccept: */*\r\n\r\n",
  );
});

Deno.test("what is no request of a proxy is answered as such", async () => {
  for (
    const request of [
      "GET / HTTP/1.1\r\n\r\n",
      "GET https://a.test/ HTTP/1.1\r\n\r\n",
      "CONNECT a.test HTTP/1.1\r\n\r\n",
      "CONNECT a.test:99999 HTTP/1.1\r\n\r\n",
      "\x16\x03\x01\r\n\r\n",
    ]
  ) assert.match((await exchange(request)).answer, /^HTTP\/1\.1 400 /, request);
  assert.equal((await exchange("GET http://a.test/ HTT")).answer, "");
  assert.equal(
    (await exchange(`GET http://a.test/ HTTP/1.1\r\nX: ${"x".repeat(70_000)}`)).answer,
    "",
  );
});

Deno.test("lists of hosts are read, compared and refused", () => {
  assert.deepEqual(parseHostList(" A.example ,*.B.example:8443,a.example"), [
    "a.example",
    "*.b.example:8443",
  ]);
  assert.equal(parseHostList("OFF"), "off");
  assert.equal(parseHostList("on"), "on");
  for (
    const wrong of [
      "",
      ",",
      "http://x",
      "a b",
      "a/b",
      "*",
      "*.",
      "x:0",
      "x:65536",
      "off,a",
      "a..b",
      "-a",
      "*.*.a",
    ]
  ) {
    const read = parseHostList(wrong);
    const isWrong = typeof read === "object" && "problem" in read;
    // these are words in their place alone
    assert.equal(isWrong, wrong !== "off,a", wrong);
  }
  assert.ok(allowsHost(["[::1]:80"], "::1", 80));
  assert.ok(isShorter(["a.x"], ["*.x", "y"]) && isShorter("off", ["a"]) && isShorter(["a"], "on"));
  assert.ok(isShorter(["*.a.x"], ["*.x"]) && !isShorter(["*.x"], ["*.a.x"]));
  assert.ok(!isShorter("on", ["a"]) && !isShorter(["a"], "off") && !isShorter(["a:22"], ["a"]));
  assert.ok(!isShorter(["x"], ["*.x"]));
});

Deno.test("addresses that are not public are told by their kind", () => {
  const kinds: [string, string | undefined][] = [
    ["1.1.1.1", undefined],
    ["2606:4700::1111", undefined],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::7f00:1", "reserved"],
    ["fe80::1%eth0", "link-local"],
    ["ff02::1", "multicast"],
    ["64:ff9b::7f00:1", "loopback"],
    ["2002:a00:1::", "private"],
    ["172.31.0.1", "private"],
    ["172.32.0.1", undefined],
    ["100.64.0.1", "shared"],
    ["224.0.0.1", "multicast"],
    ["255.255.255.255", "reserved"],
    ["127.1", "unknown"],
  ];
  for (const [address, kind] of kinds) assert.equal(internalKind(address), kind, address);
});
