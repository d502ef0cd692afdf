import assert from "node:assert/strict";
import { join } from "node:path";
import { httpFetch } from "../../src/host/http_client.ts";
import { createModel } from "../../src/providers/create_model.ts";
import { errorAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram } from "../support/program.ts";
import { installed, testWhere } from "../support/test_where.ts";
import { withWorkspace } from "../support/tool_context.ts";
import { ask, failureOf } from "./ask.ts";

/** Runs the program with one prompt against `endpoint`. */
async function runAgainst(endpoint: string, env: Record<string, string>) {
  return await withWorkspace(async (folder) => {
    const cwd = join(folder, "work");
    await Deno.mkdir(cwd);
    await Deno.mkdir(join(folder, "home", ".nimlet"), { recursive: true });
    const config = { providers: { "openai-compatible": { endpoint } } };
    await Deno.writeTextFile(
      join(folder, "home", ".nimlet", "config.json"),
      JSON.stringify(config),
    );
    const args = ["-p", "--provider", "openai-compatible", "--model", "m", "hi"];
    return await runProgram(args, { cwd, env });
  });
}

Deno.test("requests go through the proxy of the environment, but for the addresses it leaves out", async () => {
  // From source the runtime itself may ask the proxy for packages, too.
  const proxy = startFakeProvider([
    (request) =>
      request.method === "POST"
        ? textAnswer("chat", "through the proxy")
        : errorAnswer(502, "no packages here"),
  ], { repeatLast: true });
  const provider = startFakeProvider([textAnswer("chat", "straight")], { repeatLast: true });
  try {
    const address = proxy.url.replace("/v1", "");
    const env = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: "127.0.0.1,localhost" };
    const far = await runAgainst("http://provider.invalid/v1", env);
    const direct = await runAgainst(provider.url, { ...env, NO_PROXY: "*" });
    assert.equal(direct.stdout, "straight\n", direct.stderr);
    const dead = { HTTP_PROXY: "http://me:secret@127.0.0.1:9", NO_PROXY: "" };
    const failed = await runAgainst("http://provider.invalid/v1", dead);
    assert.match(
      failed.stderr,
      /through the proxy 127\.0\.0\.1:9 \(HTTP_PROXY\): connection refused/,
    );
    assert.doesNotMatch(failed.stderr, /secret/);
    assert.equal(far.stdout, "through the proxy\n", far.stderr);
    const sent = () => proxy.requests.filter((request) => request.method === "POST");
    assert.equal(sent()[0]!.path, "http://provider.invalid/v1/chat/completions");
    const near = await runAgainst(provider.url, env);
    assert.equal(near.stdout, "straight\n", near.stderr);
    assert.equal(sent().length, 1);
  } finally {
    await proxy.close();
    await provider.close();
  }
});

Deno.test("the steps of a run share a connection", async () => {
  const ports = new Set<number>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request, info) => {
      ports.add((info.remoteAddr as Deno.NetAddr).port);
      await request.text();
      const body = textAnswer("anthropic", "hi").pieces!.join("");
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  );
  try {
    const endpoint = `http://127.0.0.1:${server.addr.port}/v1`;
    const model = await createModel({ provider: "anthropic", model: "m", endpoint, fetch });
    for (let step = 0; step < 3; step++) assert.equal((await ask(model)).text, "hi");
    assert.equal(ports.size, 1);
  } finally {
    await server.shutdown();
  }
});

/** Makes an authority and a server's certificate. */
async function makeCertificates(folder: string): Promise<void> {
  const run = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("openssl", {
      args,
      cwd: folder,
      stdout: "null",
      stderr: "piped",
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  };
  const key = ["-newkey", "rsa:2048", "-nodes"];
  await run(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=Test CA",
  );
  await Deno.writeTextFile(
    join(folder, "ext"),
    "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n",
  );
  await run("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1");
  await run(
    ...["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key"],
    ...["-CAcreateserial", "-out", "server.pem", "-days", "2", "-extfile", "ext"],
  );
}

testWhere(
  installed("openssl", ["version"]),
  "a private certificate authority is trusted where the environment names it",
  trustsPrivateAuthorities,
  { sanitizeResources: false }, // the client lives as long as the program
);

async function trustsPrivateAuthorities() {
  await withWorkspace(async (folder) => {
    await makeCertificates(folder);
    const answer = textAnswer("chat", "private");
    const server = Deno.serve({
      port: 0,
      hostname: "127.0.0.1",
      cert: await Deno.readTextFile(join(folder, "server.pem")),
      key: await Deno.readTextFile(join(folder, "server.key")),
      onListen() {},
    }, async (request) => {
      await request.text();
      return new Response(answer.pieces!.join(""), {
        headers: { "content-type": "text/event-stream" },
      });
    });
    try {
      const model = (variables: Record<string, string>) =>
        createModel({
          provider: "local",
          model: "m",
          endpoint: `https://127.0.0.1:${server.addr.port}/v1`,
          fetch: httpFetch({ get: (name) => variables[name] }),
        });
      for (const name of ["NIMLET_CA_CERT", "SSL_CERT_FILE"]) {
        const trusting = await model({ [name]: join(folder, "ca.pem") });
        assert.equal((await ask(trusting)).text, "private");
      }
      const strange = await failureOf(await model({}));
      assert.equal(strange.kind, "network");
      assert.equal(strange.details.retryable, false);
      assert.match(strange.message, /certificate is not trusted .*NIMLET_CA_CERT/);
      const plain = await failureOf(
        await createModel({
          provider: "local",
          model: "m",
          endpoint: `http://127.0.0.1:${server.addr.port}/v1`,
          fetch,
        }),
      );
      assert.match(plain.message, /does not speak HTTP; check the endpoint, http or https/);
      assert.equal(plain.details.retryable, false);
      const missing = await failureOf(await model({ NIMLET_CA_CERT: join(folder, "none.pem") }));
      assert.match(missing.message, /^NIMLET_CA_CERT: cannot use .*none\.pem: [^:]*\.$/);
      assert.equal(missing.details.retryable, false);
      const empty = await failureOf(await model({ SSL_CERT_FILE: join(folder, "ext") }));
      assert.match(empty.message, /it holds no PEM certificate/);
    } finally {
      await server.shutdown();
    }
    await tellsWrongCertificate(folder);
  });
}

/** A server that shows its authority's own certificate, as the plainest openssl command makes it. */
async function tellsWrongCertificate(folder: string) {
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: await Deno.readTextFile(join(folder, "ca.pem")),
    key: await Deno.readTextFile(join(folder, "ca.key")),
    onListen() {},
  }, () => new Response("never seen"));
  try {
    const model = await createModel({
      provider: "local",
      model: "m",
      endpoint: `https://127.0.0.1:${server.addr.port}/v1`,
      fetch: httpFetch({ get: () => join(folder, "ca.pem") }),
    });
    assert.match((await failureOf(model)).message, /of an authority itself \(CA:TRUE\)/);
  } finally {
    await server.shutdown();
  }
}
