import assert from "node:assert/strict";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { call, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";

type Env = Record<string, string>;

/** Runs one prompt in an empty folder with a server at hand; gives what it saw. */
async function tried(
  args: (url: string) => string[],
  { env = () => ({}), config = () => ({}) }: {
    env?(url: string): Env;
    config?(url: string): object;
  } = {},
) {
  const server = startFakeProvider([textAnswer("chat", "ok")]);
  try {
    return await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
      await Deno.writeTextFile(
        `${home}/.nimlet/config.json`,
        JSON.stringify(config(server.url)),
      );
      const run = await runProgram([...args(server.url), "-p", "hi"], {
        cwd: workspace,
        env: env(server.url),
      });
      return { ...run, requests: server.requests };
    });
  } finally {
    await server.close();
  }
}

Deno.test("an endpoint alone is nobody's: it is openai-compatible, and no vendor's key goes there", async () => {
  const env = () => ({ OPENAI_API_KEY: "sk-vendor", OPENROUTER_API_KEY: "sk-router" });
  const flag = await tried((url) => ["--endpoint", url, "--model", "m"], { env });
  assert.equal(flag.stdout, "ok\n", flag.stderr);
  assert.equal(flag.requests[0]!.headers.authorization, undefined);
  const variables = await tried(() => [], {
    env: (url) => ({ ...env(), NIMLET_ENDPOINT: url, NIMLET_MODEL: "m2" }),
  });
  assert.equal(variables.stdout, "ok\n", variables.stderr);
  assert.equal(variables.requests[0]!.headers.authorization, undefined);
  assert.equal(variables.requests[0]!.body.model, "m2");
});

Deno.test("flags override the environment, which overrides files", async () => {
  const config = (url: string) => ({
    default_provider: "openai",
    default_model: "from-file",
    providers: { "openai-compatible": { endpoint: url } },
  });
  const env = () => ({ NIMLET_PROVIDER: "openai-compatible", NIMLET_MODEL: "from-env" });
  const variables = await tried(() => [], { env, config });
  assert.equal(variables.requests[0]!.body.model, "from-env");
  const flags = await tried(() => ["--model", "from-flag"], { env, config });
  assert.equal(flags.requests[0]!.body.model, "from-flag");
});

Deno.test("without a choice the first provider with a key counts, and stderr says which", async () => {
  const run = await tried(() => ["--model", "m"], {
    env: () => ({ MISTRAL_API_KEY: "k" }),
    config: (url) => ({ providers: { mistral: { endpoint: url } } }),
  });
  assert.equal(run.stdout, "ok\n");
  assert.match(run.stderr, /the provider mistral is used, as MISTRAL_API_KEY holds a key for it/);
  const none = await tried(() => []);
  assert.equal(none.code, 2);
  assert.match(
    none.stderr,
    /no key for provider openrouter: set one of OPENROUTER_API_KEY, OPENAI/,
  );
  assert.match(none.stderr, /nimlet --provider local --model NAME/);
});

Deno.test("a provider of one's own has a name, a protocol and an endpoint", async () => {
  const config = (url: string) => ({
    default_provider: "work",
    default_model: "m",
    providers: { work: { api: "chat", endpoint: url, api_key: "own-key" } },
  });
  const run = await tried(() => [], { config });
  assert.deepEqual([run.stdout, run.stderr], ["ok\n", ""]);
  assert.equal(run.requests[0]!.headers.authorization, "Bearer own-key");
  const missing = await tried(() => ["--provider", "wrok"], { config });
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /no provider named "wrok" \(did you mean work\?\)/);
  const wrong = await tried(() => [], {
    config: () => ({ providers: { work: { api: "soap" } } }),
  });
  assert.match(wrong.stderr, /providers\.work\.api: expected one of "chat", "responses"/);
});

Deno.test("--set gives any setting, checked as the file is", async () => {
  const set = (...texts: string[]) => (url: string) => [
    "--endpoint",
    url,
    "--model",
    "m",
    ...texts.flatMap((text) => ["--set", text]),
  ];
  const run = await tried(
    set("agent.max_tokens=77", 'providers.openai-compatible.options={"a":1}'),
  );
  assert.deepEqual([run.requests[0]!.body.max_tokens, run.requests[0]!.body.a], [77, 1]);
  for (
    const [text, expected] of [
      ["agent.max_tokens=many", /--set agent\.max_tokens: expected an integer .* found "many"/],
      [
        "agent.max_tokns=1",
        /--set agent\.max_tokns: there is no such setting; did you mean agent\.max_tokens\?/,
      ],
      ["agnt.max_tokens=1", /--set agnt\.max_tokens: .*; did you mean agent\.max_tokens\?/],
      ["nonsense", /--set "nonsense": expected KEY=VALUE/],
    ] as const
  ) {
    const refused = await tried(set(text));
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, expected);
  }
});

Deno.test("--set takes a text that looks like a number, and the endpoint of one's own provider", async () => {
  const numeric = await tried((url) => [
    ...["--set", "default_provider=openai-compatible", "--set", "default_model=42"],
    ...["--set", `providers.openai-compatible.endpoint=${url}`],
    ...["--set", "providers.openai-compatible.api_key=12345"],
  ]);
  assert.equal(numeric.requests[0]!.body.model, "42", numeric.stderr);
  assert.equal(numeric.requests[0]!.headers.authorization, "Bearer 12345");
  const own = await tried(
    (url) => ["--provider", "work", "--model", "m", "--set", `providers.work.endpoint=${url}`],
    { config: () => ({ providers: { work: { api: "chat", endpoint: "http://127.0.0.1:1/v1" } } }) },
  );
  assert.equal(own.code, 0, own.stderr);
});

Deno.test("--allow and permissions.allow give grants where nobody can be asked, to a person alone", () =>
  withScratch(async ({ workspace, root, home }) => {
    const steps = [
      call("bash", { command: "echo one" }),
      call("bash", { command: "echo two" }),
      call("bash", { command: "rm -f x" }),
      call("git", {}),
      say("done"),
    ];
    const play = await cassette(`${root}/c.jsonl`, steps);
    const denied = async (...flags: string[]) => {
      const { stdout } = await runProgram(
        [...play, "--ask", "deny", "--mode", "json", "--no-session", ...flags, "go"],
        { cwd: workspace },
      );
      return only(checkedRecords(stdout), "tool_result")
        .map(({ output }) => String(output).startsWith("approval_denied"));
    };
    assert.deepEqual(await denied(), [true, true, true, true]);
    const flags = ["bash:echo one", "tool:git", "bash:rm -f x"].flatMap((key) => ["--allow", key]);
    assert.deepEqual(await denied(...flags), [false, true, true, false]);
    const setting = '{"permissions":{"allow":["bash:echo  two"]}}';
    await Deno.mkdir(`${home}/.nimlet`);
    await Deno.writeTextFile(`${home}/.nimlet/config.json`, setting);
    assert.deepEqual(await denied(), [true, false, true, true]);
    await Deno.remove(`${home}/.nimlet/config.json`);
    await Deno.mkdir(`${workspace}/.nimlet`);
    await Deno.writeTextFile(`${workspace}/.nimlet/config.json`, setting);
    assert.deepEqual(await denied("--approve"), [true, true, true, true]);
    const wrong = await runProgram([...play, "--allow", "npm test", "go"], { cwd: workspace });
    assert.match(wrong.stderr, /--allow: expected bash:COMMAND or tool:NAME, found "npm test"/);
  }));
