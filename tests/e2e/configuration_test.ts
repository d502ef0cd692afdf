/** The check of the settings files as a whole: their forms, references, merging, secrets. */
import assert from "node:assert/strict";
import { cassette, say } from "../support/cassette.ts";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { pathsBelow } from "../tools/file_fixture.ts";
import { flags, furnish, type Places, pointConfig, tell } from "./told.ts";

Deno.test("config: mark, CRLF, comments and trailing commas load; the file stays as it is", () =>
  withScratch(async (places) => {
    const config = "\ufeff" + [
      "{ // the team's settings, see https://x//y",
      '  /* "agent": { "max_tokens": 1 }, */',
      '  "providers": { "openai-compatible": {',
      '    "endpoint": "ENDPOINT",',
      '    "headers": { "X-A": "https://x//y", "X-B": "a,]", "X-C": "/* no */", },',
      '    "options": { "stop": ["a,]", "// no", ], },',
      "  }, },",
      "}",
      "",
    ].join("\r\n");
    const provider = startFakeProvider([textAnswer("chat", "fine")]);
    try {
      await pointConfig(places, provider.url, config);
      const path = `${places.home}/.nimlet/config.json`;
      const before = await Deno.readFile(path);
      const modified = (await Deno.stat(path)).mtime;
      const result = await runProgram([...flags, "-p", "go"], { cwd: places.workspace });
      assert.deepEqual([result.code, result.stderr], [0, ""]);
      const { headers, body } = provider.requests[0]!;
      assert.deepEqual(
        [headers["x-a"], headers["x-b"], headers["x-c"], body.stop, body.max_tokens],
        ["https://x//y", "a,]", "/* no */", ["a,]", "// no"], undefined],
      );
      assert.deepEqual(await Deno.readFile(path), before);
      assert.deepEqual((await Deno.stat(path)).mtime, modified);
    } finally {
      await provider.close();
    }
  }));

const withKey = (key: string) =>
  JSON.stringify({ providers: { "openai-compatible": { endpoint: "ENDPOINT", api_key: key } } });

/** What `{env:K}` and other texts become in the request. */
const keys: readonly { key: string; value?: string; sent: string | RegExp }[] = [
  { key: "{env:K}", value: 'a"b\\c', sent: 'Bearer a"b\\c' },
  { key: "{env:K}", value: 'a"b\\c\n', sent: 'Bearer a"b\\c' },
  { key: "{env:K}", value: "${OTHER}", sent: "Bearer ${OTHER}" },
  { key: "{env:K}", value: "{env:OTHER}", sent: "Bearer {env:OTHER}" },
  { key: "a$b$$c", sent: "Bearer a$b$$c" },
  { key: "{{env:K}", value: "x", sent: "Bearer {env:K}" },
  { key: "{file:key.txt}", sent: "Bearer from-file" },
  {
    key: "{env:K}",
    sent: /config\.json: providers\.openai-compatible\.api_key: the variable K is not set/,
  },
  {
    key: "{env:K}",
    value: "",
    sent: /config\.json: providers\.openai-compatible\.api_key: the variable K is empty/,
  },
  {
    key: "${K}",
    value: "x",
    sent: /providers\.openai-compatible\.api_key: expected a key, \{env:/,
  },
];

for (const { key, value, sent } of keys) {
  const given = value === undefined ? "K not set" : `K = ${JSON.stringify(value)}`;
  Deno.test(`config: the key ${key} with ${given} ${typeof sent === "string" ? "is sent as meant" : "stops the start"}`, () =>
    withScratch(async (places) => {
      await furnish(places.home, { ".nimlet/key.txt": "from-file\n" });
      const told = await tell(places, {
        args: ["-p", "go"],
        config: withKey(key),
        env: { OTHER: "never", ...(value === undefined ? {} : { K: value }) },
      });
      if (typeof sent === "string") {
        assert.deepEqual([told.code, told.stderr], [0, ""]);
        assert.equal(told.headers[0]!.authorization, sent);
      } else {
        assert.equal(told.code, 2);
        assert.match(told.stderr, sent);
        assert.equal(told.headers.length, 0, "no request without the key");
      }
    }));
}

Deno.test("config: a secret by reference gets into no file, event, list or child", () =>
  withScratch(async (places) => {
    const secret = "s3cret-value-of-k";
    await furnish(places.root, {
      "W/.nimlet/config.json": JSON.stringify({
        providers: { mistral: { api_key: "{env:K2}" } },
      }),
    });
    const env = { K: secret, K2: `${secret}2` };
    const answers = [
      callAnswer("chat", [{ name: "bash", input: { command: "env; echo K=$K K2=$K2" } }]),
      textAnswer("chat", "fine"),
    ];
    const config = withKey("{env:K}");
    const told = await tell(places, {
      args: ["--approve", "--mode", "json", "go"],
      answers,
      config,
      env,
    });
    assert.equal(told.code, 0, told.stderr);
    assert.equal(told.headers[0]!.authorization, `Bearer ${secret}`);
    const shown = await Promise.all(
      ["--doctor", "--show-config", "--list-tools"].map((flag) =>
        runProgram([...flags, "--approve", flag], { cwd: places.workspace, env })
      ),
    );
    for (const { code, stdout, stderr } of shown) {
      assert.equal(code, 0, stderr);
      assert.ok(!`${stdout}${stderr}`.includes(secret));
    }
    assert.ok(!`${told.stdout}${told.stderr}${JSON.stringify(told.messages)}`.includes(secret));
    const files = await filesBelow(places);
    assert.ok(files.some(({ path }) => path.includes("/sessions/")));
    for (const { path, text } of files) assert.ok(!text.includes(secret), path);
    assert.ok(files.some(({ text }) => text.includes("{env:K}")), "the reference stays");
  }));

Deno.test("config: maps merge key by key, the project last; it cannot loosen safety; sources are told", () =>
  withScratch(async (places) => {
    await furnish(places.root, {
      "home/.nimlet/config.json": JSON.stringify({
        permissions: { headless: "deny" },
        providers: {
          "openai-compatible": {
            endpoint: "http://127.0.0.1:9/v1",
            api_key: "plain-secret",
            headers: { "X-A": "1", "X-Shared": "user" },
            options: { stop: ["x"], seed: 1 },
          },
        },
        agent: { max_tokens: 100 },
      }),
      "W/.nimlet/config.json": JSON.stringify({
        permissions: { headless: "allow" },
        tools: { pass_credentials: true },
        providers: {
          "openai-compatible": {
            headers: { "X-B": "2", "X-Shared": "project" },
            options: { stop: ["y"] },
          },
        },
        agent: { max_steps: 9 },
      }),
    });
    const { code, stdout, stderr } = await runProgram(["--approve", "--show-config"], {
      cwd: places.workspace,
    });
    assert.equal(code, 0, stderr);
    const line = (key: string) =>
      stdout.split("\n").find((text) => text.startsWith(`${key} `) || text.startsWith(`${key}:`)) ??
        `no line for ${key} in:\n${stdout}`;
    assert.match(line("agent.max_tokens"), /100.*~\/\.nimlet|100.*home\/\.nimlet/);
    assert.match(line("agent.max_steps"), /9.*W\/\.nimlet|9.* \.nimlet/);
    assert.match(line("permissions.headless"), /deny/);
    assert.match(line("tools.pass_credentials"), /false/);
    assert.match(line("providers.openai-compatible.options.stop"), /\["y"\]/);
    assert.match(line("providers.openai-compatible.options.seed"), /1/);
    for (const header of ["X-A", "X-B", "X-Shared"]) {
      assert.ok(stdout.includes(`headers.${header}`), header);
    }
    assert.ok(!/plain-secret/.test(stdout + stderr));
    assert.match(stderr, /permissions\.headless/);
    assert.match(stderr, /tools\.pass_credentials/);
    const untrusted = await runProgram(["--show-config"], { cwd: places.workspace });
    assert.ok(!untrusted.stdout.includes("X-B"));
  }));

Deno.test("config: a wrong type stops the start and says where; an unknown key is named", () =>
  withScratch(async (places) => {
    const wrong = await tell(places, {
      args: ["-p", "go"],
      config:
        '{"agent":{"max_tokens":"many"},"providers":{"openai-compatible":{"endpoint":"ENDPOINT"}}}',
    });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /config\.json.*agent\.max_tokens.*expected.*"many"/);
    assert.equal(wrong.stderr.trimEnd().split("\n").length, 1);
    const unknown = await tell(places, {
      args: ["-p", "go"],
      config:
        '{"agnet":{"max_tokens":9},"providers":{"openai-compatible":{"endpoint":"ENDPOINT"}}}',
    });
    assert.equal(unknown.code, 0);
    assert.match(unknown.stderr, /agnet.*agent/);
  }));

async function filesBelow({ workspace, home }: Places): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  const look = async (folder: string) => {
    for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await look(path);
      if (isFile) found.push({ path, text: await Deno.readTextFile(path) });
    }
  };
  await look(workspace);
  await look(home);
  return found;
}

Deno.test("config: a HOME that is relative or missing is none; nothing is made in the workspace", () =>
  withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("fine")]);
    await Deno.mkdir(`${workspace}/here/.nimlet`, { recursive: true });
    await Deno.writeTextFile(`${workspace}/here/.nimlet/config.json`, '{"default_model": 5}');
    const before = pathsBelow(root);
    for (const home of ["here", "./here", "nowhere", "", `${root}/missing`]) {
      const args = [...play, "--no-approve", "-p", "go"];
      const { code, stdout, stderr } = await runProgram(args, {
        cwd: workspace,
        env: { HOME: home },
      });
      assert.deepEqual([code, stdout], [0, "fine\n"], `${home}: ${stderr}`);
      const problem = home === ""
        ? "not set"
        : `${home}, which is not the absolute path of a folder`;
      assert.equal(
        stderr,
        `nimlet: HOME is ${problem}, so no user settings are read and nothing is kept; ` +
          "set HOME or NIMLET_HOME\n",
      );
      assert.deepEqual(pathsBelow(root), before, home);
    }
  }));
