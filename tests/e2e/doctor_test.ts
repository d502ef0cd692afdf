import assert from "node:assert/strict";
import type { Json } from "../../src/core/json.ts";
import { compileSchema } from "../../src/lib/json_schema.ts";
import { runProgram, withScratch } from "../support/program.ts";

interface Report {
  readonly [key: string]: Json;
}

/** The report in both forms, which say the same. */
async function doctor(
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ code: number; text: string; report: Report }> {
  const [plain, json, schema] = await Promise.all([
    runProgram(["--doctor", ...args], { cwd, env }),
    runProgram(["--doctor", "--mode", "json", ...args], { cwd, env }),
    runProgram(["--schema", "doctor"], { cwd }),
  ]);
  assert.equal(json.code, plain.code);
  assert.equal(plain.stderr, "");
  const report = JSON.parse(json.stdout);
  assert.deepEqual(compileSchema(JSON.parse(schema.stdout), "2020-12")(report), []);
  const text = plain.stdout;
  assert.ok(text.endsWith(`\nnext: ${report.next}\n`), text);
  if (report.problem !== null) assert.ok(text.includes(`\nproblem: ${report.problem}\n`), text);
  return { code: plain.code, text, report };
}

Deno.test("the doctor: a run that could start is exit status 0, with a prompt to try", async () => {
  await withScratch(async ({ workspace, home }) => {
    const env = { OPENAI_API_KEY: "sk-SECRET" };
    const endpoint = "https://u:SECRET@api.example:8443/v1?k=SECRET";
    const { code, text, report } = await doctor(["--provider", "openai"], workspace, env);
    assert.deepEqual([code, report.ok, report.problem, report.config], [0, true, null, []]);
    assert.equal(report.next, 'try: nimlet --provider openai -p "Say hello."');
    assert.match(text, /^key: from OPENAI_API_KEY$/m);
    assert.ok(!text.includes("not there"), text);

    const local = await doctor(["--provider", "local", "--model", "a b"], workspace);
    assert.equal(
      local.report.next,
      "start the server at http://127.0.0.1:11434/v1 where it does not run yet, and try: " +
        `nimlet --provider local --model 'a b' -p "Say hello."`,
    );
    await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
    await Deno.writeTextFile(
      `${home}/.nimlet/config.json`,
      JSON.stringify({ default_provider: "openai", providers: { openai: { endpoint } } }),
    );
    const own = await doctor([], workspace, env);
    assert.equal(own.code, 0);
    assert.deepEqual(own.report.config, [
      { path: `${home}/.nimlet/config.json`, scope: "user", state: "read" },
    ]);
    assert.ok(!JSON.stringify(own).includes("SECRET"));
  });
});

Deno.test("the doctor: what keeps a run from starting is named, with exit status 1", async () => {
  await withScratch(async ({ workspace, home }) => {
    const config = `${home}/.nimlet/config.json`;
    const keyless = await doctor([], workspace);
    assert.deepEqual([keyless.code, keyless.report.ok], [1, false]);
    assert.match(String(keyless.report.problem), /no key .*OPENROUTER_API_KEY/);
    assert.match(keyless.text, /^key: none found$/m);

    const modelless = await doctor(["--provider", "local"], workspace);
    assert.equal(modelless.code, 1);
    assert.match(
      String(modelless.report.problem),
      /no model chosen for provider local: use --model/,
    );

    const cassette = await doctor(["--provider", "replay", "--model", "none.jsonl"], workspace);
    assert.equal(cassette.code, 1);
    assert.match(String(cassette.report.problem), /none\.jsonl/);

    await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
    for (const text of ["{", '{"agent":{"max_tokens":[]}}', '{"default_provider":"nobody"}']) {
      await Deno.writeTextFile(config, text);
      const { code, report } = await doctor([], workspace);
      assert.deepEqual([code, report.provider], [1, null], text);
      assert.match(String(report.problem), /config\.json|no provider named "nobody"/);
    }
    const wrong = await runProgram(["--doctor", "--provider", "nobody"], { cwd: workspace });
    assert.deepEqual(
      [wrong.code, wrong.stdout],
      [2, ""],
      "a wrong command line is reported as such",
    );
  });
});

Deno.test("the doctor: a project's settings are named where they are there, trusted or not", async () => {
  await withScratch(async ({ workspace }) => {
    const flags = ["--provider", "local", "--model", "m"];
    assert.deepEqual((await doctor(flags, workspace)).report.config, []);
    await Deno.mkdir(`${workspace}/.nimlet`);
    await Deno.writeTextFile(`${workspace}/.nimlet/config.json`, "{}");
    const path = `${workspace}/.nimlet/config.json`;
    const untrusted = await doctor([...flags, "--no-approve"], workspace);
    assert.deepEqual(untrusted.report.config, [{ path, scope: "project", state: "untrusted" }]);
    const trusted = await doctor([...flags, "--approve"], workspace);
    assert.deepEqual(trusted.report.config, [{ path, scope: "project", state: "read" }]);
  });
});
