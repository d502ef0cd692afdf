import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { ordinaryUser, testWhere } from "../support/test_where.ts";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, size: { type: "integer", minimum: 1 } },
  required: ["name", "size"],
  additionalProperties: false,
};

async function withSchema(
  use: (
    places: { workspace: string; root: string; home: string; flags: string[] },
  ) => Promise<void>,
): Promise<void> {
  await withScratch(async ({ workspace, root, home }) => {
    await Deno.writeTextFile(`${workspace}/form.json`, JSON.stringify(schema));
    await use({ workspace, root, home, flags: ["--output-schema", "form.json"] });
  });
}

Deno.test("an answer that fits is printed as bare JSON", async () => {
  await withSchema(async ({ workspace, root, flags }) => {
    const fits = '{"name":"a","size":2}';
    const said = [fits, `\n ${fits}\n`, `Here it is:\n\n\`\`\`json\n${fits}\n\`\`\`\nDone.`];
    for (const text of said) {
      const play = await cassette(`${root}/c.jsonl`, [call("glob", { pattern: "*" }), say(text)]);
      const { code, stdout, stderr } = await runProgram([...play, ...flags, "-p", "x"], {
        cwd: workspace,
      });
      assert.deepEqual([code, stdout, stderr], [0, `${fits}\n`, ""], text);
    }
  });
});

Deno.test("an answer that misses is asked for again, with what is wrong", async () => {
  await withSchema(async ({ workspace, root, flags }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      say("The name is a."),
      [{ type: "expect", last_message: "not JSON" }, ...say('{"name":"a","size":0}')],
      [{ type: "expect", last_message: "size" }, ...say('{"name":"a","size":1}')],
    ]);
    const { code, stdout } = await runProgram([...play, ...flags, "--mode", "json", "x"], {
      cwd: workspace,
    });
    assert.equal(code, 0, stdout);
    const records = checkedRecords(stdout);
    assert.equal(only(records, "message").at(-1)!.content, '{"name":"a","size":1}');
    assert.equal(only(records, "run_end").length, 1);
    assert.equal(only(records, "diagnostic").length, 2);
    assert.equal(only(records, "step_start").length, 3);
  });
});

Deno.test("an answer that never fits is exit status 1 with nothing on stdout", async () => {
  await withSchema(async ({ workspace, root, flags }) => {
    const miss = say('{"name":1}');
    const play = await cassette(`${root}/c.jsonl`, [miss, miss, miss, miss]);
    const out = ["--output", "answer.json"];
    const print = await runProgram([...play, ...flags, ...out, "-p", "x"], { cwd: workspace });
    assert.deepEqual([print.code, print.stdout], [1, ""]);
    assert.match(print.stderr.trimEnd().split("\n").at(-1)!, /--output-schema: .*size/);
    assert.throws(() => Deno.statSync(`${workspace}/answer.json`));
    const json = await runProgram([...play, ...flags, "--mode", "json", "x"], { cwd: workspace });
    const records = checkedRecords(json.stdout);
    assert.equal(json.code, 1);
    assert.equal(only(records, "error")[0]!.code, "schema");
    assert.equal(only(records, "message").filter(({ final }) => final).length, 0);
    assert.deepEqual([records.at(-1)!.success, records.at(-1)!.status], [false, "failed"]);
  });
});

Deno.test("a provider that can keep to a schema is given it", async () => {
  const provider = startFakeProvider([textAnswer("responses", '{"name":"a","size":3}')]);
  try {
    await withSchema(async ({ workspace, home, flags }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(
        `${home}/.nimlet/config.json`,
        JSON.stringify({ providers: { openai: { endpoint: provider.url } } }),
      );
      const { code, stdout, stderr } = await runProgram(
        ["--provider", "openai", "--model", "gpt-5", ...flags, "-p", "x"],
        { cwd: workspace, env: { OPENAI_API_KEY: "k" } },
      );
      assert.deepEqual([code, stdout], [0, '{"name":"a","size":3}\n'], stderr);
      const { text } = provider.requests[0]!.body as {
        text: { format: { [key: string]: unknown } };
      };
      assert.equal(text.format.type, "json_schema");
      assert.deepEqual((text.format.schema as typeof schema).required, schema.required);
      assert.equal(text.format.strict, false, "schemas of people's own are seldom strict ones");
    });
  } finally {
    await provider.close();
  }
});

Deno.test("--output writes the answer as well, at once, whatever was there", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("the answer\n\n")]);
    const run = (file: string, ...more: string[]) =>
      runProgram([...play, "--output", file, ...more, "x"], { cwd: workspace });
    const text = (file: string) => Deno.readTextFile(`${workspace}/${file}`);

    assert.equal((await run("new.txt", "-p")).stdout, "the answer\n");
    assert.equal(await text("new.txt"), "the answer\n");
    assert.equal((await run("new.txt", "--mode", "json")).code, 0);
    await Deno.writeTextFile(`${workspace}/old.txt`, "old and longer than the answer", {
      mode: 0o640,
    });
    await Deno.symlink("old.txt", `${workspace}/link.txt`);
    assert.equal((await run("link.txt")).code, 0);
    assert.equal(await text("old.txt"), "the answer\n");
    assert.equal(Deno.statSync(`${workspace}/old.txt`).mode! & 0o777, 0o640);
    assert.ok(Deno.lstatSync(`${workspace}/link.txt`).isSymlink);
    assert.equal((await run("/dev/null", "-p")).stdout, "the answer\n");
    assert.ok(Deno.statSync("/dev/null").isCharDevice);
    const names = [...Deno.readDirSync(workspace)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["link.txt", "new.txt", "old.txt"], "nothing else is left");

    for (const file of ["none/a.txt", "."]) {
      const refused = await run(file, "-p");
      assert.deepEqual([refused.code, refused.stdout], [2, ""]);
      assert.match(refused.stderr, /^nimlet: --output: [^\n]+\n$/);
    }
    const full = await run("/dev/full", "-p");
    assert.deepEqual([full.code, full.stdout], [1, ""]);
    assert.match(full.stderr, /^nimlet: --output: [^\n]+\n$/);
    const records = checkedRecords((await run("/dev/full", "--mode", "json")).stdout);
    assert.deepEqual(records.slice(-2).map(({ type }) => type), ["error", "session_end"]);
    assert.equal(records.at(-1)!.exit_code, 1);
  });
});

testWhere(
  ordinaryUser,
  "a file of --output that may not be written is refused before the run",
  async () => {
    await withScratch(async ({ workspace, root }) => {
      const play = await cassette(`${root}/c.jsonl`, [say("the answer")]);
      const folder = `${workspace}/closed`;
      await Deno.mkdir(folder);
      await Deno.writeTextFile(`${folder}/there.txt`, "old\n");
      await Deno.writeTextFile(`${workspace}/kept.txt`, "old\n", { mode: 0o444 });
      await Deno.chmod(folder, 0o555);
      for (const file of ["closed/new.txt", "closed/there.txt", "kept.txt"]) {
        const { code, stdout, stderr } = await runProgram([...play, "--output", file, "-p", "x"], {
          cwd: workspace,
        });
        assert.deepEqual([code, stdout], [2, ""], file);
        assert.match(stderr, /^nimlet: --output: [^\n]+ cannot be written \([^\n]+\n$/);
      }
      await Deno.chmod(folder, 0o755);
    });
  },
);

Deno.test("a schema that is none is wrong usage, told before anything runs", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("{}")]);
    const cases: [string, RegExp][] = [
      ["{", /expected a JSON Schema/],
      ["[]", /an object/],
      ['{"type":"objekt"}', /schema\.type/],
      ['{"$ref":"#/none"}', /leads nowhere/],
      ['{"$schema":"http://example.com/x"}', /\$schema/],
    ];
    for (const [text, problem] of cases) {
      await Deno.writeTextFile(`${workspace}/s.json`, text);
      const { code, stderr } = await runProgram([...play, "--output-schema", "s.json", "-p", "x"], {
        cwd: workspace,
      });
      assert.equal(code, 2, text);
      assert.match(stderr, problem);
      assert.match(stderr, /^nimlet: --output-schema: [^\n]+s\.json[^\n]*\n$/);
    }
    const none = await runProgram([...play, "--output-schema", "n.json", "-p", "x"], {
      cwd: workspace,
    });
    assert.match(none.stderr, /n\.json is not there/);
    for (const flag of ["--output", "--output-schema"]) {
      const rpc = await runProgram([...play, "--mode", "rpc", flag, "s.json"], { cwd: workspace });
      assert.equal(rpc.code, 2);
      assert.match(rpc.stderr, /--mode rpc/);
    }
  });
});

Deno.test("--schema prints the schemas that are published", async () => {
  await withScratch(async ({ workspace }) => {
    for (const name of ["events", "result", "config", "tool", "rpc", "session"]) {
      const { code, stdout, stderr } = await runProgram(["--schema", name], { cwd: workspace });
      assert.deepEqual([code, stderr], [0, ""]);
      const published = new URL(`../../docs/schemas/${name}.schema.json`, import.meta.url);
      assert.equal(stdout, await Deno.readTextFile(published), name);
    }
    const wrong = await runProgram(["--schema", "evnts"], { cwd: workspace });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /events, result, config, tool, rpc, session/);
  });
});

Deno.test("the answer and the recording do not take each other's file", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("hi")]);
    const flags = ["--output", "x", "--record", `${workspace}/x`, "-p", "x"];
    const result = await runProgram([...play, ...flags], { cwd: workspace });
    assert.equal(result.code, 2);
    assert.match(result.stderr, /^nimlet: --output and --record name one file, x: .*\n$/);
    assert.equal(result.stdout, "");
  });
});
