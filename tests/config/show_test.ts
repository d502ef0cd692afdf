import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.ts";
import { configLines, doctorLines, publicAddress, shownSettings } from "../../src/config/show.ts";
import { environment, withFolders } from "./folders.ts";

Deno.test("every value is shown with its source, and no secret", async () => {
  await withFolders(async ({ home, workspace }) => {
    await Deno.writeTextFile(
      join(home, "config.json"),
      `{ "providers": { "openai": {
        "api_key": "sk-SECRET", "headers": { "Authorization": "SECRET" },
        "endpoint": "https://user:SECRET@x.example/v1?key=SECRET#SECRET",
        "options": { "api_token": "SECRET", "seed": 5, "list": [1], "max_tokens": 9,
          "auth": { "type": "SECRET" } }
      }, "anthropic": { "api_key": "{env:WORK_KEY}" } } }`,
    );
    await Deno.mkdir(join(workspace, ".nimlet"));
    await Deno.writeTextFile(
      join(workspace, ".nimlet", "config.json"),
      '{ "agent": { "max_steps": 9 }, "default_model": "a\\u001b[31mb" }',
    );
    const config = await loadConfig({
      home,
      workspace,
      projectTrusted: true,
      env: environment({ NIMLET_THINKING: "low", WORK_KEY: "SECRET" }),
      flags: { "default_provider": "openai" },
    });
    const shown = Object.fromEntries(
      shownSettings(config).map(({ key, value, source }) => [key, [value, source]]),
    );
    const user = join(home, "config.json"), project = join(workspace, ".nimlet", "config.json");
    assert.deepEqual(shown["providers.openai.api_key"], ["(hidden)", user]);
    assert.deepEqual(shown["providers.anthropic.api_key"], ["{env:WORK_KEY}", user]);
    assert.deepEqual(shown["providers.openai.endpoint"], ["https://x.example/v1", user]);
    assert.deepEqual(shown["providers.openai.options.seed"], [5, user]);
    assert.deepEqual(shown["providers.openai.options.list"], [[1], user]);
    assert.deepEqual(shown["providers.openai.options.max_tokens"], [9, user]);
    assert.deepEqual(shown["agent.max_steps"], [9, project]);
    assert.deepEqual(shown["agent.thinking"], ["low", "NIMLET_THINKING"]);
    assert.deepEqual(shown["default_provider"], ["openai", "command line"]);
    assert.deepEqual(shown["agent.request_timeout"], [300, "default"]);

    const text = configLines(config).join("\n");
    assert(!text.includes("SECRET"), text);
    assert(!text.includes("\x1b"));
    assert.match(text, /^# .*config\.json \(yours\)\n# .*config\.json \(the project's\)\n/);
    assert.match(text, /^agent\.request_timeout = 300 {2}# default$/m);
  });
});

Deno.test("the doctor's lines name what is used, and what is lacking", () => {
  const lines = doctorLines({
    ok: false,
    provider: "openai",
    model: null,
    endpoint: "https://api.example:8443/v1/",
    config: [{ path: "/h/config.json", scope: "user", state: "read" }],
    settings_saved_to: "/h/config.json",
    key_source: "OPENAI_API_KEY",
    key_variables: ["OPENAI_API_KEY"],
    sandbox: { mode: "read (from x)", net: "off", lines: [["home", "private"]] },
    mcp_servers: [],
    hooks: [],
    extensions: [],
    compiled_code: "used",
    warnings: ["one\nline"],
    problem: "no model chosen",
    next: "mend that",
  });
  assert.deepEqual(lines.slice(0, 4), [
    "provider: openai",
    "model: none chosen",
    "endpoint: https://api.example:8443/v1/",
    "config: /h/config.json (yours)",
  ]);
  assert.deepEqual(lines.slice(-2), ["problem: no model chosen", "next: mend that"]);
  assert(lines.includes("key: from OPENAI_API_KEY"));
  assert(lines.includes("sandbox: read (from x), network: off"));
  assert(lines.includes("sandbox home: private"));
  assert(lines.every((line) => !line.includes("\n")));
});

Deno.test("an address without credentials, query and fragment", () => {
  assert.equal(publicAddress("http://127.0.0.1:11434/v1"), "http://127.0.0.1:11434/v1");
  assert.equal(publicAddress("https://a:b@x.example"), "https://x.example");
  assert.equal(publicAddress("nonsense"), "(not an address)");
});
