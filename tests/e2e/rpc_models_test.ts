import assert from "node:assert/strict";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { type FakeAnswer, listenHttp } from "../support/fake_http.ts";
import { withScratch } from "../support/program.ts";
import type { Record } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";

const stateOf = ({ state }: Record) => state as { [key: string]: unknown };

/** A server with a list of models, or what stands in for one; it answers with the model's name. */
function serverWith(list: FakeAnswer) {
  return listenHttp((request) =>
    request.method === "GET" ? list : textAnswer("chat", String(JSON.parse(request.text).model))
  );
}

Deno.test("models are listed and changed; one that the server does not list is refused", async () => {
  const models = [{ id: "alpaca-1", context_length: 9000 }, { id: "alpaca-2-20260101" }];
  const server = serverWith({ body: JSON.stringify({ data: models }) });
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc(
        ["--endpoint", `http://127.0.0.1:${server.port}/v1`, "--model", "unlisted"],
        workspace,
      );
      assert.deepEqual((await rpc.ask("list_models")).result, {
        provider: "openai-compatible",
        models: [{ id: "alpaca-1", context_window: 9000 }, { id: "alpaca-2-20260101" }],
      });
      const refused = await rpc.ask("set_model", { model: "alpaka-1" });
      assert.equal(refused.ok, false);
      assert.match(
        String(refused.error),
        /^openai-compatible does not know the model "alpaka-1": .*the 2 models .*mean alpaca-1\?/,
      );
      assert.equal(stateOf(await rpc.ask("get_state")).model, "unlisted", "as it was");
      for (const model of ["alpaca-1", "alpaca-2", "alpaca-1:free", "alpaca-2-latest"]) {
        const set = await rpc.ask("set_model", { model });
        assert.equal(set.ok, true, String(set.error));
        assert.equal(stateOf(set).model, model);
      }
      await rpc.ask("prompt", { message: "who?" });
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, "alpaca-2-latest");
      await rpc.next("run_end");
      const unknown = await rpc.ask("set_model", { model: "m", provider: "nobody" });
      assert.match(String(unknown.error), /there is no provider named "nobody"/);
      const keyless = await rpc.ask("set_model", { model: "m", provider: "openai" });
      assert.match(String(keyless.error), /OPENAI_API_KEY/);
      assert.equal((await rpc.ask("list_models", { provider: "openai" })).ok, false);
      assert.throws(() => Deno.statSync(`${home}/.nimlet/config.json`), "nothing is written back");
      await rpc.ask("shutdown");
      await rpc.program.ended;
    });
  } finally {
    await server.close();
  }
});

Deno.test("where a server has no list of models, any model is taken", async () => {
  const lists: FakeAnswer[] = [
    { status: 404, body: "{}" },
    { body: '{"data":[]}' },
    { body: "<html>" },
  ];
  for (const list of lists) {
    const server = serverWith(list);
    try {
      await withScratch(async ({ workspace }) => {
        const rpc = startRpc(
          ["--endpoint", `http://127.0.0.1:${server.port}/v1`, "--model", "one"],
          workspace,
        );
        const set = await rpc.ask("set_model", { model: "two" });
        assert.equal(set.ok, true, String(set.error));
        await rpc.ask("shutdown");
        await rpc.program.ended;
      });
    } finally {
      await server.close();
    }
  }
});

Deno.test("a server that does not answer holds up neither an interrupt nor the end", async () => {
  const asked = Promise.withResolvers<void>(), over = Promise.withResolvers<void>();
  const provider = startFakeProvider([() => (asked.resolve(), { before: over.promise })], {
    repeatLast: true,
  });
  try {
    await withScratch(async ({ workspace }) => {
      const rpc = startRpc(["--endpoint", provider.url, "--model", "one"], workspace);
      await rpc.send('{"id":"slow","type":"set_model","model":"two"}\n');
      await asked.promise;
      await rpc.send('{"id":"stop","type":"interrupt"}\n');
      const ends = [await rpc.next("response"), await rpc.next("response")];
      const slow = ends.find(({ id }) => id === "slow")!;
      assert.deepEqual([slow.ok, slow.error], [false, "interrupted by the client"]);
      assert.equal(stateOf(await rpc.ask("get_state")).model, "one");
      await rpc.send('{"id":"slow","type":"list_models"}\n');
      await provider.waitFor(2);
      await rpc.ask("shutdown");
      assert.equal((await rpc.program.ended).code, 0);
    });
  } finally {
    over.resolve();
    await provider.close();
  }
});
