/** The proof that every setting has its effect on the whole program. */
import assert from "node:assert/strict";
import { providerTable, settingTable } from "../../src/config/settings.ts";
import {
  callAnswer,
  type FakeProvider,
  startFakeProvider,
  textAnswer,
} from "../support/fake_provider.ts";
import { type ProgramResult, runProgram, withScratch } from "../support/program.ts";
import { startRpc } from "../support/rpc.ts";
import { installed, linux, type Need, testWhere } from "../support/test_where.ts";

type Answers = Parameters<typeof startFakeProvider>[0];

interface Seen extends ProgramResult {
  readonly provider: FakeProvider;
  readonly home: string;
}

/** One setting: the program is run without it and with it, and seen to differ as said. */
interface Case {
  readonly value: unknown;
  /** Settings of both runs, besides the provider's endpoint. */
  readonly base?: { readonly [key: string]: unknown };
  /** In place of provider and model by flags. */
  readonly flags?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly needs?: readonly Need[];
  /** Puts files where the program runs. */
  prepare?(folders: { readonly workspace: string; readonly home: string }): Promise<void>;
  answers?(isSet: boolean): Answers;
  observe(seen: Seen): unknown;
  readonly without: unknown;
  readonly with: unknown;
}

const providerFlags = ["--provider", "openai-compatible", "--model", "m1"];
const bash = (command: string) => callAnswer("chat", [{ name: "bash", input: { command } }]);
const body = ({ provider }: Seen) => provider.requests[0]?.body ?? {};
const header = ({ provider }: Seen, name: string) => provider.requests[0]?.headers[name];
/** What went back to the model after its first answer. */
const results = ({ provider }: Seen) => provider.requests[1]?.text ?? "";
const sessionsIn = (folder: string) => {
  try {
    return [...Deno.readDirSync(folder)].length;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
};
const isSummary = (request: FakeProvider["requests"][number]) => request.body.tools === undefined;
const summaries = ({ provider }: Seen) => provider.requests.filter(isSummary).length;

/** No call may run. */
const guardedHooks = {
  PreToolUse: [{ hooks: [{ type: "command", command: "echo never >&2; exit 2" }] }],
};

const sandboxNeeds = [linux, installed("bwrap")];

/** A command in the sandbox. */
function sandboxed(command: string, value: unknown) {
  return {
    value,
    needs: sandboxNeeds,
    base: { sandbox: { mode: "workspace" } },
    answers: () => [bash(command), textAnswer("chat", "hi")],
  };
}

/** Eight commands with 2 kB each, that is about five hundred tokens. */
function talkative(): Answers {
  const loud = bash("head -c 2000 /dev/zero | tr '\\0' x");
  const script = [...Array(8).fill(loud), textAnswer("chat", "end")];
  let next = 0;
  return Array(20).fill((request: FakeProvider["requests"][number]) =>
    isSummary(request) ? textAnswer("chat", "what came before") : script[next++]
  );
}

const cases: Record<string, Case> = {
  "default_provider": {
    value: "openai-compatible",
    flags: ["--model", "m1"],
    observe: ({ code, stdout, stderr }) => [code, stdout, /OPENROUTER_API_KEY/.test(stderr)],
    without: [2, "", true],
    with: [0, "hi\n", false],
  },
  "default_model": {
    value: "m9",
    base: { default_provider: "openai-compatible" },
    flags: [],
    observe: (seen) => [seen.code, body(seen).model],
    without: [2, undefined],
    with: [0, "m9"],
  },
  "agent.max_tokens": {
    value: "77",
    observe: (seen) => body(seen).max_tokens,
    without: undefined,
    with: 77,
  },
  "agent.request_timeout": {
    value: 0.3,
    // a silent first answer; only where the silence is limited does the program ask again
    answers: (isSet) => [
      isSet ? { pieces: [], ending: "hang" } : textAnswer("chat", "hi"),
      textAnswer("chat", "hi"),
    ],
    observe: ({ stdout, provider }) => [stdout, provider.requests.length],
    without: ["hi\n", 1],
    with: ["hi\n", 2],
  },
  "agent.thinking": {
    value: "high",
    observe: (seen) => body(seen).reasoning_effort,
    without: undefined,
    with: "high",
  },
  "agent.context_window": {
    value: 3000,
    base: { agent: { reserve_tokens: 100, keep_recent_tokens: 1 } },
    answers: talkative,
    observe: (seen) => summaries(seen) > 0,
    without: false,
    with: true,
  },
  "agent.compaction_enabled": {
    value: false,
    base: { agent: { context_window: 3000, reserve_tokens: 100, keep_recent_tokens: 1 } },
    answers: talkative,
    observe: (seen) => summaries(seen) > 0,
    without: true,
    with: false,
  },
  "agent.reserve_tokens": {
    value: 100,
    base: { agent: { context_window: 5000, keep_recent_tokens: 1 } },
    answers: talkative,
    observe: (seen) => summaries(seen) > 0,
    without: true,
    with: false,
  },
  "agent.keep_recent_tokens": {
    value: 1,
    base: { agent: { context_window: 3000, reserve_tokens: 100 } },
    answers: talkative,
    // how many commands are still there in the request that follows the last part of the summary
    observe: ({ provider }) => {
      const at = provider.requests.findLastIndex(isSummary);
      const { messages } = provider.requests[at + 1]!.body as { messages: { role: string }[] };
      return messages.filter(({ role }) => role === "tool").length;
    },
    without: 2,
    with: 1,
  },
  "agent.session_dir": {
    value: "kept",
    observe: (
      { home },
    ) => [sessionsIn(`${home}/.nimlet/sessions`), sessionsIn(`${home}/.nimlet/kept`)],
    without: [1, 0],
    with: [0, 1],
  },
  "agent.max_steps": {
    value: 1,
    answers: () => [bash("true"), textAnswer("chat", "hi")],
    observe: ({ code, provider }) => [code, provider.requests.length],
    without: [0, 2],
    with: [3, 1],
  },
  "tools.bash.max_output_bytes": {
    value: 100,
    answers: () => [bash("head -c 4000 /dev/zero | tr '\\0' x"), textAnswer("chat", "hi")],
    observe: (seen) => /\[\.\.\. 3900 bytes omitted \.\.\.\]/.test(results(seen)),
    without: false,
    with: true,
  },
  "tools.pass_credentials": {
    value: true,
    env: { MISTRAL_API_KEY: "the-secret" },
    answers: () => [bash("echo key=$MISTRAL_API_KEY."), textAnswer("chat", "hi")],
    observe: (seen) => /key=(?!\$)(.*?)\./.exec(results(seen))?.[1],
    without: "",
    with: "the-secret",
  },
  "agent.max_cost": {
    value: 0.5,
    observe: ({ code }) => code, // the model's price is not known
    without: 0,
    with: 2,
  },
  "agent.max_repeats": {
    value: 2,
    answers: () => [bash("echo a"), bash("echo a"), bash("echo a"), textAnswer("chat", "hi")],
    observe: ({ code }) => code,
    without: 0,
    with: 3,
  },
  "permissions.allow": {
    value: ["bash:echo done"],
    flags: [...providerFlags, "--ask", "deny"],
    answers: () => [bash("echo done"), textAnswer("chat", "hi")],
    observe: (seen) => /approval_denied/.test(results(seen)),
    without: true,
    with: false,
  },
  "permissions.headless": {
    value: "deny",
    answers: () => [bash("echo done"), textAnswer("chat", "hi")],
    observe: (seen) => /approval_denied/.test(results(seen)),
    without: false,
    with: true,
  },
  "hooks": {
    value: guardedHooks,
    answers: () => [bash("echo done"), textAnswer("chat", "hi")],
    observe: (seen) => /approval_denied/.test(results(seen)),
    without: false,
    with: true,
  },
  "hook_files": {
    value: ["more.json"],
    prepare: ({ home }) =>
      Deno.writeTextFile(`${home}/.nimlet/more.json`, JSON.stringify({ hooks: guardedHooks })),
    answers: () => [bash("echo done"), textAnswer("chat", "hi")],
    observe: (seen) => /approval_denied/.test(results(seen)),
    without: false,
    with: true,
  },
  "mcp.project_file": {
    value: false,
    flags: [...providerFlags, "--approve"],
    prepare: ({ workspace }) => Deno.writeTextFile(`${workspace}/.mcp.json`, "no JSON"),
    observe: ({ stderr }) => /\.mcp\.json/.test(stderr),
    without: true,
    with: false,
  },
  "sandbox.mode": {
    value: "workspace",
    needs: sandboxNeeds,
    answers: () => [bash("echo in=$NIMLET_SANDBOX."), textAnswer("chat", "hi")],
    observe: (seen) => /in=(?!\$)(.*?)\./.exec(results(seen))?.[1],
    without: "",
    with: "workspace",
  },
  "sandbox.net": {
    ...sandboxed("readlink /proc/self/ns/net", "on"),
    observe: (seen) => results(seen).includes(Deno.readLinkSync("/proc/self/ns/net")),
    without: false,
    with: true,
  },
  "sandbox.read": {
    ...sandboxed("test -e /srv && echo seen", ["/srv"]),
    observe: (seen) => /\\nseen/.test(results(seen)),
    without: false,
    with: true,
  },
  "sandbox.write": {
    ...sandboxed("test -w /srv && echo written", ["/srv"]),
    observe: (seen) => /\\nwritten/.test(results(seen)),
    without: false,
    with: true,
  },
  "sandbox.hide": {
    ...sandboxed("grep -c root /etc/passwd && echo seen", ["/etc/passwd"]),
    observe: (seen) => /\\nseen/.test(results(seen)),
    without: true,
    with: false,
  },
  "sandbox.env": {
    ...sandboxed("echo my=$MY_TOKEN.", ["MY_TOKEN"]),
    env: { MY_TOKEN: "t-1" },
    observe: (seen) => /my=(?!\$)(.*?)\./.exec(results(seen))?.[1],
    without: "",
    with: "t-1",
  },
  "sandbox.outside": {
    ...sandboxed("", ["place"]),
    prepare: async ({ home }) => {
      const folder = `${home}/.nimlet/tools/place`;
      await Deno.mkdir(folder, { recursive: true });
      const script = '#!/bin/sh\ncat >/dev/null\nprintf \'"in=%s"\' "$NIMLET_SANDBOX"\n';
      await Deno.writeTextFile(`${folder}/run`, script, { mode: 0o755 });
      const manifest = { name: "place", description: "Say where it runs.", command: ["./run"] };
      const input_schema = { type: "object" };
      await Deno.writeTextFile(
        `${folder}/tool.json`,
        JSON.stringify({ ...manifest, input_schema, capabilities: ["read"] }),
      );
    },
    answers: () => [
      callAnswer("chat", [{ name: "place", input: {} }]),
      textAnswer("chat", "hi"),
    ],
    observe: (seen) => results(seen).includes("in=workspace"),
    without: true,
    with: false,
  },
  "providers.openai-compatible.endpoint": {
    value: undefined, // the table's own address
    base: { providers: {} },
    observe: ({ code, provider }) => [code, provider.requests.length],
    without: [2, 0],
    with: [0, 1],
  },
  "providers.openai-compatible.api": {
    value: "soap", // a right one is for other names alone
    observe: ({ code }) => code,
    without: 0,
    with: 2,
  },
  "providers.openai-compatible.api_key": {
    value: "{env:TEAM_KEY}",
    env: { TEAM_KEY: "k-1" },
    observe: (seen) => header(seen, "authorization"),
    without: undefined,
    with: "Bearer k-1",
  },
  "providers.openai-compatible.options": {
    value: { seed: 7, nested: { deep: [1, null] } },
    observe: (seen) => [body(seen).seed, body(seen).nested],
    without: [undefined, undefined],
    with: [7, { deep: [1, null] }],
  },
  "providers.openai-compatible.headers": {
    value: { "X-Team": "blue" },
    observe: (seen) => header(seen, "x-team"),
    without: undefined,
    with: "blue",
  },
  "providers.openai-compatible.last_model": {
    value: "m7",
    flags: ["--provider", "openai-compatible"],
    observe: (seen) => [seen.code, body(seen).model],
    without: [2, undefined],
    with: [0, "m7"],
  },
};

/** Queues are for RPC mode: how many model requests two queued messages make. */
const queueCases: Record<string, { readonly command: "steer" | "follow_up" }> = {
  "agent.steering_mode": { command: "steer" },
  "agent.follow_up_mode": { command: "follow_up" },
};

Deno.test("settings: every key of the tables is tried", () => {
  const keys = [
    ...Object.keys(settingTable),
    ...Object.keys(providerTable).map((key) => `providers.openai-compatible.${key}`),
  ];
  assert.deepEqual(
    [...Object.keys(cases), ...Object.keys(queueCases), "sandbox.escape"].sort(),
    keys.sort(),
  );
});

for (const [key, tried] of Object.entries(cases)) {
  testWhere(tried.needs ?? [], `settings: ${key} has its effect`, async () => {
    for (const isSet of [false, true]) {
      const answers = tried.answers?.(isSet) ?? [textAnswer("chat", "hi")];
      await runWith(key, tried, isSet, answers);
    }
  });
}

async function runWith(key: string, tried: Case, isSet: boolean, answers: Answers): Promise<void> {
  const provider = startFakeProvider(answers);
  try {
    await withScratch(async ({ workspace, home }) => {
      const endpoint = { providers: { "openai-compatible": { endpoint: provider.url } } };
      const config: Node = structuredClone({ ...endpoint, ...tried.base }) as Node;
      if (isSet) setKey(config, key.split("."), tried.value ?? provider.url);
      await writeConfig(home, config);
      await tried.prepare?.({ workspace, home });
      const flags = [...tried.flags ?? providerFlags, "-p", "go"];
      const result = await runProgram(flags, { cwd: workspace, env: { ...tried.env } });
      assert.deepEqual(
        tried.observe({ ...result, provider, home }),
        isSet ? tried.with : tried.without,
        `${isSet ? "with" : "without"} ${key}\n${result.stderr}`,
      );
    });
  } finally {
    await provider.close();
  }
}

for (const [key, { command }] of Object.entries(queueCases)) {
  for (const mode of ["one-at-a-time", "all"] as const) {
    Deno.test(`settings: ${key} ${mode} has its effect`, async () => {
      const queued = Promise.withResolvers<void>();
      const provider = startFakeProvider([
        { ...bash("true"), before: queued.promise },
        textAnswer("chat", "a"),
        textAnswer("chat", "b"),
        textAnswer("chat", "c"),
      ]);
      try {
        await withScratch(async ({ workspace, home }) => {
          const config: Node = { providers: { "openai-compatible": { endpoint: provider.url } } };
          setKey(config, key.split("."), mode);
          await writeConfig(home, config);
          const rpc = startRpc(providerFlags, workspace);
          await rpc.ask("prompt", { message: "go" });
          await provider.waitFor(1);
          for (const message of ["QUEUED-1", "QUEUED-2"]) await rpc.ask(command, { message });
          queued.resolve();
          await rpc.next("run_end");
          await rpc.ask("shutdown");
          const { code, stderr } = await rpc.program.ended;
          assert.deepEqual([code, stderr], [0, ""]);
        });
        const together = provider.requests.find((request) => request.text.includes("QUEUED-1"))!;
        assert.equal(together.text.includes("QUEUED-2"), mode === "all");
        assert.ok(provider.requests.at(-1)!.text.includes("QUEUED-2"));
      } finally {
        queued.resolve();
        await provider.close();
      }
    });
  }
}

testWhere(sandboxNeeds, "settings: sandbox.escape has its effect", async () => {
  for (const escape of ["ask", "never"]) {
    const provider = startFakeProvider([textAnswer("chat", "hi")]);
    try {
      await withScratch(async ({ workspace, home }) => {
        await writeConfig(home, {
          providers: { "openai-compatible": { endpoint: provider.url } },
          sandbox: { mode: "workspace", escape },
        });
        const rpc = startRpc(providerFlags, workspace);
        await rpc.ask("prompt", { message: "go", permissions: "ask" });
        await rpc.next("run_end");
        await rpc.ask("shutdown");
        await rpc.program.ended;
      });
      const offered = JSON.stringify(provider.requests[0]!.body.tools);
      assert.equal(offered.includes("outside_sandbox"), escape === "ask");
    } finally {
      await provider.close();
    }
  }
});

Deno.test("settings: auth.json has the key where the settings have none", async () => {
  const provider = startFakeProvider([textAnswer("chat", "hi")]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await writeConfig(home, { providers: { "openai-compatible": { endpoint: provider.url } } });
      const auth = { "openai-compatible": { type: "api_key", key: "from-auth" } };
      await Deno.writeTextFile(`${home}/.nimlet/auth.json`, JSON.stringify(auth), { mode: 0o600 });
      const result = await runProgram([...providerFlags, "-p", "go"], { cwd: workspace });
      assert.deepEqual([result.code, result.stderr], [0, ""]);
      assert.equal(provider.requests[0]!.headers.authorization, "Bearer from-auth");
    });
  } finally {
    await provider.close();
  }
});

type Node = { [key: string]: unknown };

function setKey(node: Node, keys: readonly string[], value: unknown): void {
  const [key, ...rest] = keys;
  if (rest.length === 0) node[key!] = value;
  else setKey(node[key!] = { ...node[key!] as Node }, rest, value);
}

async function writeConfig(home: string, config: Node): Promise<void> {
  await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
  await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify(config));
}
