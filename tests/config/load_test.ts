import assert from "node:assert/strict";
import { join } from "node:path";
import { type ConfigOptions, loadConfig } from "../../src/config/load.ts";
import { settingTable } from "../../src/config/settings.ts";
import { RunFailure } from "../../src/core/failure.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { environment, withFolders } from "./folders.ts";

interface Files {
  user?: string;
  project?: string;
}

async function load(
  files: Files,
  around: Partial<ConfigOptions> & { variables?: Record<string, string> } = {},
) {
  return await withFolders(async ({ home, workspace }) => {
    if (files.user !== undefined) await Deno.writeTextFile(join(home, "config.json"), files.user);
    if (files.project !== undefined) {
      await Deno.mkdir(join(workspace, ".nimlet"));
      await Deno.writeTextFile(join(workspace, ".nimlet", "config.json"), files.project);
    }
    const loaded = await loadConfig({
      home,
      workspace,
      projectTrusted: true,
      env: environment({ HOME: "/home/me", ...around.variables }),
      providerNames: ["openai", "anthropic", "local"],
      ...around,
    });
    const warnings = loaded.warnings.map((warning) =>
      warning.replaceAll(home, "~").replaceAll(workspace, "W")
    );
    return { ...loaded, warnings, home, workspace };
  });
}

async function refusal(files: Files, around: Parameters<typeof load>[1] = {}): Promise<string> {
  let message = "";
  await assert.rejects(load(files, around), (error) => {
    assert(error instanceof RunFailure, String(error));
    assert.equal(error.code, "config");
    assert(!error.message.includes("\n"), error.message);
    message = error.message.replace(/\S*\/home\//g, "~/").replace(/\S*\/W\//g, "W/");
    return true;
  });
  return message;
}

Deno.test("without files every setting has its default, and nothing is warned about", async () => {
  const { settings, warnings, files } = await load({});
  for (const [key, setting] of Object.entries(settingTable)) {
    const expected = "default" in setting ? setting.default : undefined;
    assert.equal(settings[key as keyof typeof settings], expected, key);
  }
  assert.equal(settings["agent.max_tokens"], undefined);
  assert.equal(settings["agent.request_timeout"], 300);
  assert.deepEqual(warnings, []);
  assert.deepEqual(files.map(({ scope, state }) => [scope, state]), [
    ["user", "missing"],
    ["project", "missing"],
  ]);
});

Deno.test("comments, trailing commas, a byte order mark and CRLF load with every value right", async () => {
  const text = [
    "\ufeff// settings",
    "{",
    '  "default_model": "a,]", /* not a list */',
    '  "providers": {',
    '    "openai": {',
    '      "endpoint": "https://x//y", // "https://no"',
    '      "headers": { "X-Note": "/* no */", },',
    "    },",
    "  },",
    '  "agent": { "max_tokens": 7, },',
    "}",
    "",
  ].join("\r\n");
  await withFolders(async ({ home, workspace }) => {
    const path = join(home, "config.json");
    await Deno.writeTextFile(path, text);
    const { settings, providers, warnings } = await loadConfig({
      home,
      workspace,
      projectTrusted: true,
      env: environment({}),
    });
    assert.equal(settings["default_model"], "a,]");
    assert.equal(settings["agent.max_tokens"], 7);
    assert.deepEqual({ ...providers.openai }, {
      endpoint: "https://x//y",
      headers: { "X-Note": "/* no */" },
    });
    assert.deepEqual(warnings, []);
    assert.equal(await Deno.readTextFile(path), text, "the file is as it was");
  });
});

Deno.test("files merge key by key with the project last; arrays and scalars replace", async () => {
  const { settings, providers, sources } = await load({
    user: `{
      "default_model": "mine",
      "agent": { "max_tokens": 1, "thinking": "low" },
      "providers": { "openai": {
        "api_key": "{env:A}",
        "headers": { "A": "1", "B": "1" },
        "options": { "list": [1, 2], "deep": { "x": 1, "y": 1 }, "was": { "z": 1 } }
      } }
    }`,
    project: `{
      "agent": { "max_tokens": 2 },
      "providers": {
        "openai": {
          "headers": { "B": "2" },
          "options": { "list": [3], "deep": { "y": 2 }, "was": 5 }
        },
        "local": { "last_model": "m" }
      }
    }`,
  });
  assert.equal(settings["default_model"], "mine");
  assert.equal(settings["agent.max_tokens"], 2);
  assert.equal(settings["agent.thinking"], "low");
  assert.deepEqual(providers, {
    openai: {
      api_key: "{env:A}",
      headers: { A: "1", B: "2" },
      options: { list: [3], deep: { x: 1, y: 2 }, was: 5 },
    },
    local: { last_model: "m" },
  });
  const scope = (key: string) => sources.get(key)?.scope;
  assert.equal(scope("default_model"), "user");
  assert.equal(scope("agent.max_tokens"), "project");
  assert.equal(scope("agent.reserve_tokens"), "default");
  assert.equal(scope("providers.openai.headers.A"), "user");
  assert.equal(scope("providers.openai.headers.B"), "project");
  assert.equal(scope("providers.openai.options.deep.x"), "user");
  assert.equal(scope("providers.openai.options.was"), "project");
  assert.equal(scope("providers.openai.options.was.z"), undefined);
});

Deno.test("an untrusted project's file is not read, whatever it holds", async () => {
  const { settings, files } = await load(
    { user: '{"default_model":"mine"}', project: "{ broken" },
    { projectTrusted: false },
  );
  assert.equal(settings["default_model"], "mine");
  assert.deepEqual(files.map(({ state }) => state), ["read", "untrusted"]);
});

Deno.test("a project can tighten safety, not loosen it", async () => {
  const strict = '{"permissions":{"headless":"deny"}}';
  const loose = '{"permissions":{"headless":"allow"},"tools":{"pass_credentials":true}}';
  const kept = await load({ user: strict, project: loose });
  assert.equal(kept.settings["permissions.headless"], "deny");
  assert.equal(kept.settings["tools.pass_credentials"], false);
  assert.equal(kept.warnings.length, 2);
  assert.match(kept.warnings[0]!, /permissions\.headless: a project may only set "deny"/);
  assert.match(kept.warnings[1]!, /tools\.pass_credentials: a project may only set false/);

  const tightened = await load({
    user: '{"tools":{"pass_credentials":true}}',
    project: '{"permissions":{"headless":"deny"},"tools":{"pass_credentials":false}}',
  });
  assert.equal(tightened.settings["permissions.headless"], "deny");
  assert.equal(tightened.settings["tools.pass_credentials"], false);
  assert.deepEqual(tightened.warnings, []);

  const own = await load({ user: loose });
  assert.equal(own.settings["tools.pass_credentials"], true);
});

Deno.test("numbers and booleans may be written as texts", async () => {
  const { settings } = await load({
    user: `{ "agent": { "max_tokens": "8192", "request_timeout": " 1.5 ", "max_steps": "1e2",
      "compaction_enabled": "false" } }`,
  });
  assert.equal(settings["agent.max_tokens"], 8192);
  assert.equal(settings["agent.request_timeout"], 1.5);
  assert.equal(settings["agent.max_steps"], 100);
  assert.equal(settings["agent.compaction_enabled"], false);
});

const wrong: [string, RegExp][] = [
  [
    '{"agent":{"max_tokens":"many"}}',
    /agent\.max_tokens: expected an integer from 1 to \d+, found "many"/,
  ],
  ['{"agent":{"max_tokens":""}}', /agent\.max_tokens: expected an integer .*, found ""/],
  ['{"agent":{"max_tokens":1.5}}', /agent\.max_tokens: expected an integer .*, found 1\.5/],
  ['{"agent":{"max_tokens":0}}', /agent\.max_tokens: expected an integer from 1 .*, found 0/],
  ['{"agent":{"max_tokens":null}}', /agent\.max_tokens: expected an integer .*, found null/],
  ['{"agent":{"request_timeout":-1}}', /agent\.request_timeout: expected a number .*, found -1/],
  ['{"agent":[]}', /agent: expected an object, found an array/],
  [
    '{"agent":{"compaction_enabled":"yes"}}',
    /compaction_enabled: expected true or false, found "yes"/,
  ],
  ['{"agent":{"thinking":"lots"}}', /agent\.thinking: expected one of "none", .*, found "lots"/],
  ['{"agent":{"session_dir":""}}', /agent\.session_dir: expected a text, found ""/],
  ['{"providers":"openai"}', /providers: expected an object, found "openai"/],
  ['{"providers":{"openai":"key"}}', /providers\.openai: expected an object, found "key"/],
  [
    '{"providers":{"openai":{"endpoint":"x.y"}}}',
    /endpoint: expected an address that begins with http/,
  ],
  [
    '{"providers":{"openai":{"headers":{"A":1}}}}',
    /openai\.headers\.A: expected a text that an HTTP/,
  ],
  [
    '{"providers":{"openai":{"headers":{"A":"x\\ny"}}}}',
    /openai\.headers\.A: expected a text that/,
  ],
  [
    '{"providers":{"openai":{"headers":{"a b":"x"}}}}',
    /headers\.a b: expected a name that an HTTP/,
  ],
  [
    '{"providers":{"openai":{"options":[1]}}}',
    /openai\.options: expected an object, found an array/,
  ],
  [
    '{"providers":{"openai":{"api_key":["k"]}}}',
    /openai\.api_key: expected a text, found an array/,
  ],
];

for (const [text, message] of wrong) {
  Deno.test(`${text} stops the start`, async () => {
    const found = await refusal({ user: text });
    assert.match(found, /^~\/config\.json: /);
    assert.match(found, message);
    assert.match(found, /\(line 1\)$/);
  });
}

Deno.test("a wrong value is found on its line, and secrets are not in the message", async () => {
  const text = '{\n  // keys\n  "providers": {\n    "openai": { "api_key": 12345 }\n  },\n}';
  const message = await refusal({ project: text });
  assert.equal(
    message,
    "W/.nimlet/config.json: providers.openai.api_key: expected a text, found a number (line 4)",
  );
  assert(
    !(await refusal({ user: '{"providers":{"openai":{"endpoint":"secret"}}}' })).includes(
      '"secret',
    ),
  );
});

Deno.test("an unknown key is warned about with file, line and the name it probably means", async () => {
  const { warnings, settings } = await load({
    user: `{
      "$schema": "x",
      "defualt_model": "m",
      "agent": { "max_token": 5, "colour": 1 },
      "providers": { "opnai": { "apikey": "k" } },
      "max_steps": 3,
      "agent.max_steps": 4,
      "frobnicate": {}
    }`,
  });
  assert.deepEqual(warnings, [
    "~/config.json:3: unknown key defualt_model; did you mean default_model?",
    "~/config.json:4: unknown key agent.max_token; did you mean agent.max_tokens?",
    "~/config.json:4: unknown key agent.colour",
    "~/config.json:5: unknown key providers.opnai; did you mean providers.openai?",
    "~/config.json:5: unknown key providers.opnai.apikey; did you mean providers.opnai.api_key?",
    "~/config.json:6: unknown key max_steps; did you mean agent.max_steps?",
    "~/config.json:7: unknown key agent.max_steps; write it as an object within an object",
    "~/config.json:8: unknown key frobnicate",
  ]);
  assert.equal(settings["agent.max_steps"], undefined);
});

Deno.test("keys named like an object's own parts do no harm", async () => {
  const { warnings, providers } = await load({
    user: `{ "__proto__": { "x": 1 }, "constructor": 1, "toString": 2,
      "providers": { "openai": { "options": { "__proto__": { "polluted": true }, "a": 1 } } } }`,
  });
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.equal(providers.openai?.options?.a, 1);
  assert.equal(warnings.length, 3);
});

Deno.test("broken JSON is told with line and column", async () => {
  assert.match(
    await refusal({ user: '{\n  "agent": {\n    max: 1\n  }\n}' }),
    /^~\/config\.json:3:5: /,
  );
  assert.match(await refusal({ user: "{" }), /^~\/config\.json:1:2: /);
  assert.match(await refusal({ user: "[1]" }), /expected an object in braces, found an array/);
  assert.match(await refusal({ user: '"x"' }), /expected an object in braces, found a string/);
  assert.match(await refusal({ user: `${"[".repeat(100_000)}` }), /^~\/config\.json/);
});

Deno.test("a file nested without end is refused, and a reasonable one is not", async () => {
  const nested = (levels: number) =>
    `{"providers":{"openai":{"options":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}}}`;
  assert.match(await refusal({ user: nested(50_000) }), /expected at most 100 levels, found more$/);
  assert.match(await refusal({ user: `{"x":${"[".repeat(9000)}${"]".repeat(9000)}}` }), /levels/);
  assert.match(await refusal({ user: `{"x":${"[".repeat(99999)}1,${"]".repeat(99999)}}` }), /deep/);
  assert.deepEqual((await load({ user: nested(50) })).warnings, []);
});

Deno.test("an empty file sets nothing", async () => {
  assert.deepEqual((await load({ user: "", project: " \n" })).warnings, []);
});

/** Asserts that a configuration file of `home` stops the program with these words. */
async function assertRefused(home: string, workspace: string, words: RegExp): Promise<void> {
  const place = { home, workspace, projectTrusted: true, env: environment({}) };
  await assert.rejects(loadConfig(place), (error) => {
    assert(error instanceof RunFailure && error.code === "config", String(error));
    assert.match(error.message, words);
    return true;
  });
}

Deno.test("what is no readable file is refused at once", async () => {
  await withFolders(async ({ home, workspace }) => {
    const path = join(home, "config.json");
    const refused = (words: RegExp) => assertRefused(home, workspace, words);
    await Deno.mkdir(path);
    await refused(/config\.json is a folder, not a file/);
    await Deno.remove(path);
    await Deno.symlink(path, path);
    await refused(/config\.json is a link that leads to itself/);
    await Deno.remove(path);
    await Deno.writeFile(path, new Uint8Array(2 * 1024 * 1024).fill(0x20));
    await refused(/config\.json is larger than/);
    await Deno.writeFile(path, new Uint8Array([0x7b, 0xff, 0x7d]));
    await refused(/config\.json is not UTF-8/);
  });
});

testWhere(posix, "a pipe in the place of a configuration file is refused at once", async () => {
  await withFolders(async ({ home, workspace }) => {
    const made = await new Deno.Command("mkfifo", { args: [join(home, "config.json")] }).output();
    assert(made.success);
    await assertRefused(home, workspace, /config\.json is a pipe, not a file/);
  });
});

Deno.test("without a home there is a warning, and the project's settings still count", async () => {
  const { settings, warnings, files } = await load(
    { project: '{"default_model":"p"}' },
    { home: undefined },
  );
  assert.equal(settings["default_model"], "p");
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^HOME is .*; set HOME or NIMLET_HOME$/);
  assert.equal(files.length, 1);
});

Deno.test("a workspace whose .nimlet is nimlet's own folder has no project file", async () => {
  await withFolders(async ({ root, workspace }) => {
    await Deno.mkdir(join(workspace, ".nimlet"));
    await Deno.writeTextFile(
      join(workspace, ".nimlet", "config.json"),
      '{"tools":{"pass_credentials":true}}',
    );
    const link = join(root, "link");
    await Deno.symlink(workspace, link);
    for (const home of [join(workspace, ".nimlet"), join(link, ".nimlet")]) {
      const loaded = await loadConfig({
        home,
        workspace,
        projectTrusted: false,
        env: environment({}),
      });
      assert.deepEqual(loaded.files.map(({ scope, state }) => [scope, state]), [["user", "read"]]);
      assert.equal(loaded.settings["tools.pass_credentials"], true);
    }
  });
});

Deno.test("the environment goes before files, flags before everything", async () => {
  const files = { user: '{"agent":{"thinking":"low"},"permissions":{"headless":"deny"}}' };
  const fromFile = await load(files);
  assert.equal(fromFile.settings["agent.thinking"], "low");
  const variables = { NIMLET_THINKING: " high " };
  const fromVariable = await load(files, { variables });
  assert.equal(fromVariable.settings["agent.thinking"], "high");
  const fromFlag = await load(files, {
    variables,
    flags: {
      "agent.thinking": "max",
      "permissions.headless": "allow",
      "default_model": undefined,
    },
  });
  assert.equal(fromFlag.settings["agent.thinking"], "max");
  assert.equal(fromFlag.settings["permissions.headless"], "allow");
  assert.equal(fromFlag.sources.get("agent.thinking")?.scope, "flag");
  assert.equal(
    (await load(files, { variables: { NIMLET_THINKING: "" } })).settings["agent.thinking"],
    "low",
  );
  assert.match(
    await refusal(files, { variables: { NIMLET_THINKING: "lots" } }),
    /^NIMLET_THINKING: expected one of .*, found "lots"$/,
  );
});

Deno.test("a session folder is resolved from the file that names it", async () => {
  const path = async (files: Files) => {
    const { settings, home, workspace } = await load(files);
    return settings["agent.session_dir"]!.replace(home, "~home").replace(workspace, "W");
  };
  const file = (folder: string) => JSON.stringify({ agent: { session_dir: folder } });
  assert.equal(await path({ user: file("s") }), "~home/s");
  assert.equal(await path({ user: file("~/s") }), "/home/me/s");
  assert.equal(await path({ user: file("/abs/../s") }), "/s");
  assert.equal(await path({ project: file("s") }), "W/.nimlet/s");
});

Deno.test("of very many unknown keys the first are told, and how many more there are", async () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `"k${index}": 1`);
  const { warnings } = await load({ user: `{${keys.join(",\n")}}` });
  assert.equal(warnings.length, 21);
  assert.equal(warnings[20], "~/config.json: 1980 more unknown keys");
});
