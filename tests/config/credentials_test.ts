import assert from "node:assert/strict";
import { join } from "node:path";
import { findKey, keyAdvice, type KeySources, loadAuth } from "../../src/config/credentials.ts";
import { loadConfig } from "../../src/config/load.ts";
import { referencedVariables } from "../../src/config/secret.ts";
import { RunFailure } from "../../src/core/failure.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { environment, withFolders } from "./folders.ts";

interface Given {
  flag?: string;
  /** `api_key` of the user's config.json. */
  user?: string;
  project?: string;
  auth?: string;
  variables?: Record<string, string>;
  keyVariables?: string[];
  trusted?: boolean;
  files?: Record<string, string>;
}

async function find(given: Given) {
  return await withFolders(async ({ home, workspace }) => {
    const config = (key: string) => JSON.stringify({ providers: { openai: { api_key: key } } });
    await Deno.mkdir(join(workspace, ".nimlet"));
    if (given.user !== undefined) {
      await Deno.writeTextFile(join(home, "config.json"), config(given.user));
    }
    if (given.project !== undefined) {
      await Deno.writeTextFile(join(workspace, ".nimlet", "config.json"), config(given.project));
    }
    if (given.auth !== undefined) {
      await Deno.writeTextFile(join(home, "auth.json"), given.auth, { mode: 0o600 });
    }
    for (const [name, text] of Object.entries(given.files ?? {})) {
      await Deno.writeTextFile(join(home, name), text);
    }
    const env = environment({ HOME: home, ...given.variables });
    const sources: KeySources = {
      flag: given.flag,
      config: await loadConfig({ home, workspace, projectTrusted: given.trusted ?? true, env }),
      auth: await loadAuth(home),
      env,
      keyVariables: given.keyVariables ?? ["OPENAI_API_KEY"],
    };
    const found = findKey("openai", sources);
    return found && {
      key: found.key,
      source: found.source.replace(home, "~").replace(workspace, "W"),
    };
  });
}

async function refusal(given: Given): Promise<string> {
  try {
    await find(given);
  } catch (error) {
    assert(error instanceof RunFailure, String(error));
    assert.equal(error.code, "config");
    assert(!error.message.includes("\n"), error.message);
    return error.message.replace(/\S*\/home\b/g, "~");
  }
  throw new Error("expected a refusal");
}

const auth = (key: string) => JSON.stringify({ openai: { type: "api_key", key } });

Deno.test("the first place with a key counts: flag, settings, auth.json, environment", async () => {
  const all: Given = {
    flag: "flag",
    user: "user",
    project: "project",
    auth: auth("auth"),
    variables: { OPENAI_API_KEY: "variable" },
  };
  assert.deepEqual(await find(all), { key: "flag", source: "--api-key" });
  const { flag: _, ...noFlag } = all;
  const key = "providers.openai.api_key";
  assert.deepEqual(await find(noFlag), {
    key: "project",
    source: `W/.nimlet/config.json: ${key}`,
  });
  assert.deepEqual(await find({ ...noFlag, trusted: false }), {
    key: "user",
    source: `~/config.json: ${key}`,
  });
  const { user: __, project: ___, ...noConfig } = noFlag;
  assert.deepEqual(await find(noConfig), { key: "auth", source: "~/auth.json" });
  const { auth: ____, ...onlyVariable } = noConfig;
  assert.deepEqual(await find(onlyVariable), { key: "variable", source: "OPENAI_API_KEY" });
  assert.equal(await find({}), undefined);
});

Deno.test("empty keys count as not there", async () => {
  const found = await find({
    user: " ",
    auth: auth(""),
    variables: { A: "", B: " \n", C: "c" },
    keyVariables: ["A", "B", "C"],
  });
  assert.deepEqual(found, { key: "c", source: "C" });
});

Deno.test("of several variables the first that is set counts", async () => {
  const keyVariables = ["A", "B"];
  assert.equal((await find({ variables: { A: "a", B: "b" }, keyVariables }))?.key, "a");
  assert.equal((await find({ variables: { B: "b" }, keyVariables }))?.key, "b");
});

Deno.test("white space around a key is dropped, a key with a line break within is refused", async () => {
  assert.equal((await find({ variables: { OPENAI_API_KEY: ' a"b\\c\n' } }))?.key, 'a"b\\c');
  const message = await refusal({ variables: { OPENAI_API_KEY: "sk-secret\nx" } });
  assert.match(message, /^the key for openai from OPENAI_API_KEY holds a line break/);
  assert(!message.includes("secret"));
  assert.match(await refusal({ flag: "schlüssel" }), /no HTTP header can carry/);
});

Deno.test("a reference to a variable gives its value, which is not looked at again", async () => {
  const variables = { K: "{env:OTHER}", OTHER: "no", D: "$HOME ${HOME} {file:x}" };
  assert.equal((await find({ user: "{env:K}", variables }))?.key, "{env:OTHER}");
  assert.equal((await find({ user: " {env: D } ", variables }))?.key, "$HOME ${HOME} {file:x}");
});

Deno.test("a reference that leads nowhere names the variable and the key", async () => {
  assert.equal(
    await refusal({ user: "{env:NO_KEY}" }),
    "~/config.json: providers.openai.api_key: the variable NO_KEY is not set",
  );
  assert.equal(
    await refusal({ user: "{env:NO_KEY}", variables: { NO_KEY: "", OPENAI_API_KEY: "k" } }),
    "~/config.json: providers.openai.api_key: the variable NO_KEY is empty",
  );
  assert.match(await refusal({ user: "{env:}" }), /the variable {2}is not set/);
});

Deno.test("a reference is followed only for the provider that is used", async () => {
  await withFolders(async ({ home, workspace }) => {
    await Deno.writeTextFile(
      join(home, "config.json"),
      '{"providers":{"openai":{"api_key":"{env:NO_KEY}"},"anthropic":{"api_key":"k"}}}',
    );
    const env = environment({});
    const config = await loadConfig({ home, workspace, projectTrusted: false, env });
    const found = findKey("anthropic", { config, auth: undefined, env, keyVariables: [] });
    assert.equal(found?.key, "k");
  });
});

Deno.test("a key file is found from the settings file, and its last line end is dropped", async () => {
  const files = { "key.txt": "\ufefffrom-file\r\n" };
  assert.equal((await find({ user: "{file:key.txt}", files }))?.key, "from-file");
  assert.equal((await find({ user: "{file:~/key.txt}", files }))?.key, "from-file");
  assert.match(await refusal({ user: "{file:no.txt}" }), /the file ~\/no\.txt does not exist$/);
  assert.match(await refusal({ user: "{file:/dev/null}" }), /is a device, not a file$/);
  assert.match(await refusal({ user: "{file:e}", files: { e: "\n" } }), /the file ~\/e is empty$/);
});

Deno.test("what only looks like a reference is refused, and an escape gives the literal text", async () => {
  for (const text of ["${K}", "$OPENAI_API_KEY", "Bearer {env:K}", "{env:K}{env:K}"]) {
    assert.match(await refusal({ user: text, variables: { K: "k" } }), /\{env:NAME\}/, text);
  }
  assert.match(await refusal({ user: "{cmd:pass x}" }), /found \{cmd:\.\.\.\}$/);
  for (const text of ["a$b", "$ecret-1", "${K}x", "{", "{json}"]) {
    assert.equal((await find({ user: text }))?.key, text);
  }
  assert.equal((await find({ user: "{{env:K}" }))?.key, "{env:K}");
});

testWhere(posix, "auth.json that others can read is warned about", async () => {
  await withFolders(async ({ home }) => {
    const path = join(home, "auth.json");
    await Deno.writeTextFile(path, auth("k"));
    await Deno.chmod(path, 0o600);
    assert.deepEqual((await loadAuth(home))?.warnings, []);
    await Deno.chmod(path, 0o640);
    assert.deepEqual((await loadAuth(home))?.warnings, [
      `${path} can be read by others; run chmod 600 ${path}`,
    ]);
  });
});

Deno.test("auth.json is checked without showing what it holds", async () => {
  assert.match(
    await refusal({ auth: '{"openai":"sk-x"}' }),
    /openai: expected an object, found a text/,
  );
  assert.match(
    await refusal({ auth: '{"openai":{"key":7}}' }),
    /auth\.json: openai\.key: expected a text, found a number \(line 1\)$/,
  );
  assert.match(
    await refusal({ auth: '{"openai":{"type":"api_key"}}' }),
    /openai\.key: .*found nothing/,
  );
  assert.match(await refusal({ auth: "{" }), /auth\.json:1:2: /);
  assert.equal((await find({ auth: '{"openai":{"key":"k"},} // mine' }))?.key, "k");
});

Deno.test("an entry of another type is left alone with a warning", async () => {
  await withFolders(async ({ home }) => {
    await Deno.writeTextFile(
      join(home, "auth.json"),
      '{"openai":{"type":"oauth","refresh":"r"},"anthropic":{"type":"api_key","key":"k"}}',
      { mode: 0o600 },
    );
    const loaded = await loadAuth(home);
    assert.deepEqual([...loaded!.keys], [["anthropic", "k"]]);
    assert.match(loaded!.warnings[0]!, /openai\.type: expected one of "api_key", found "oauth"/);
  });
});

Deno.test("the variables that keys are taken from by reference are known", () => {
  const providers = { a: { api_key: " {env:WORK} " }, b: { api_key: "{file:x}" }, c: {} };
  assert.deepEqual(referencedVariables(providers), ["WORK"]);
});

Deno.test("a missing key names the variable and the file", () => {
  const advice = (variables: Record<string, string>, keyVariables: string[], home?: string) =>
    keyAdvice("openai", { env: environment(variables), keyVariables }, home);
  assert.equal(
    advice({}, ["OPENAI_API_KEY"], "/h"),
    'set OPENAI_API_KEY, or add "openai" to /h/auth.json',
  );
  assert.equal(
    advice({ B: "" }, ["A", "B"], "/h"),
    'B is set but empty; set A, or add "openai" to /h/auth.json',
  );
  assert.equal(advice({}, ["A"]), "set A, or use --api-key");
});
