import assert from "node:assert/strict";
import { join } from "node:path";
import { call, cassette, say } from "../support/cassette.ts";
import { recordsOf, runProgram, withScratch } from "../support/program.ts";

/** Exactly one line for people, without a stack. */
function oneLine(stderr: string): string {
  assert.match(stderr, /^nimlet: [^\n]+\n$/);
  assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|Uncaught|RunFailure/);
  return stderr;
}

Deno.test("wrong usage is one line on stderr, nothing on stdout, exit status 2", async () => {
  await withScratch(async ({ workspace }) => {
    const cases: [string[], RegExp][] = [
      [["--bogus"], /unknown flag --bogus/],
      [["--model"], /--model: expected a value/],
      [["--max-steps", "0", "hi"], /--max-steps: expected a whole number/],
      [["--no-session", "--resume", "hi"], /exclude each other/],
      [["-p"], /no prompt/],
      [[], /no prompt/],
      [["-i", "hi"], /-i needs a terminal/],
      [["--provider", "opnai", "hi"], /opnai.*openai/],
      [["--cwd", "nowhere", "hi"], /nowhere/],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await runProgram(args, { cwd: workspace });
      assert.equal(code, 2, args.join(" "));
      assert.equal(stdout, "");
      assert.match(oneLine(stderr), message);
    }
  });
});

Deno.test("in JSON mode wrong usage also closes the stream of records", async () => {
  await withScratch(async ({ workspace }) => {
    for (const args of [["--mode", "json", "--bogus"], ["--mode=json"]]) {
      const { code, stdout, stderr } = await runProgram(args, { cwd: workspace });
      assert.equal(code, 2);
      oneLine(stderr);
      const records = recordsOf(stdout);
      assert.equal(records.at(-2)?.type, "error");
      assert.deepEqual(
        [records.at(-1)?.type, records.at(-1)?.success, records.at(-1)?.exit_code],
        ["session_end", false, 2],
      );
    }
  });
});

Deno.test("help and version go to stdout whatever the configuration is", async () => {
  await withScratch(async ({ workspace, home }) => {
    await Deno.mkdir(join(home, ".nimlet"));
    await Deno.writeTextFile(join(home, ".nimlet", "config.json"), "{ broken");
    const help = await runProgram(["--help"], { cwd: workspace });
    assert.match(help.stdout, /^nimlet: .*\n\nUsage: nimlet/);
    assert.deepEqual([help.code, help.stderr], [0, ""]);
    const version = await runProgram(["--version"], { cwd: workspace });
    assert.match(version.stdout, /^nimlet \d+\.\d+\.\d+\n$/);
    assert.deepEqual([version.code, version.stderr], [0, ""]);
  });
});

Deno.test("a provider without a key is told with its variable and file, in both modes", async () => {
  await withScratch(async ({ workspace }) => {
    for (const env of [{}, { OPENAI_API_KEY: "" }, { OPENAI_API_KEY: " \n" }]) {
      const args = ["--provider", "openai", "--model", "m", "hi"];
      const print = await runProgram(["-p", ...args], { cwd: workspace, env });
      assert.deepEqual([print.code, print.stdout], [2, ""]);
      assert.match(oneLine(print.stderr), /OPENAI_API_KEY.*auth\.json/);
      const json = await runProgram(["--mode", "json", ...args], { cwd: workspace, env });
      const [error, end] = recordsOf(json.stdout).slice(-2);
      assert.match(String(error?.message), /OPENAI_API_KEY.*auth\.json/);
      assert.equal(end?.success, false);
    }
  });
});

Deno.test("a wrong setting stops the start, an unknown one is a warning", async () => {
  await withScratch(async ({ root, workspace, home }) => {
    const file = join(home, ".nimlet", "config.json");
    await Deno.mkdir(join(home, ".nimlet"));
    const play = await cassette(join(root, "say.jsonl"), [say("done")]);

    await Deno.writeTextFile(file, '{"agent":{"max_tokens":"many"}}');
    const wrong = await runProgram(["-p", ...play, "hi"], { cwd: workspace });
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    assert.match(
      oneLine(wrong.stderr),
      /config\.json: agent\.max_tokens: expected an integer .*, found "many"/,
    );

    await Deno.writeTextFile(file, '{"agent":{"max_tokns":5}}');
    const unknown = await runProgram(["-p", ...play, "hi"], { cwd: workspace });
    assert.deepEqual([unknown.code, unknown.stdout], [0, "done\n"]);
    assert.match(unknown.stderr, /config\.json:1: unknown key agent\.max_tokns.*agent\.max_tokens/);
  });
});

Deno.test("a run never rewrites the settings, and no file takes up a secret by reference", async () => {
  await withScratch(async ({ root, workspace, home }) => {
    const file = join(home, ".nimlet", "config.json");
    await Deno.mkdir(join(home, ".nimlet"));
    const text = '\ufeff// mine\r\n{ "providers": { "openai": { "api_key": "{env:K}", }, }, }\r\n';
    await Deno.writeTextFile(file, text);
    const play = await cassette(join(root, "work.jsonl"), [
      call("write", { path: "a.txt", content: "a" }),
      say("done"),
    ]);
    const { code } = await runProgram(["-p", ...play, "hi"], {
      cwd: workspace,
      env: { K: "SECRET-VALUE" },
    });
    assert.equal(code, 0);
    assert.equal(await Deno.readTextFile(file), text);
    for (const folder of [home, workspace]) {
      for (const path of filesIn(folder)) {
        assert(!(await Deno.readTextFile(path)).includes("SECRET-VALUE"), path);
      }
    }
  });
});

Deno.test("--show-config names every source and no secret", async () => {
  await withScratch(async ({ workspace, home }) => {
    await Deno.mkdir(join(home, ".nimlet"));
    await Deno.writeTextFile(
      join(home, ".nimlet", "config.json"),
      '{"providers":{"openai":{"api_key":"sk-SECRET"}},"default_model":"mine"}',
    );
    const { code, stdout } = await runProgram(["--show-config"], { cwd: workspace });
    assert.equal(code, 0);
    assert.match(stdout, /^default_model = "mine" {2}# .*config\.json$/m);
    assert.match(stdout, /^agent\.request_timeout = 300 {2}# default$/m);
    assert(!stdout.includes("SECRET"));
  });
});

Deno.test("the doctor says where the key is from, and never the key", async () => {
  await withScratch(async ({ workspace }) => {
    const { code, stdout, stderr } = await runProgram(["--doctor", "--provider", "openai"], {
      cwd: workspace,
      env: { OPENAI_API_KEY: "sk-SECRET" },
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /provider: openai/);
    assert.match(stdout, /key: from OPENAI_API_KEY/);
    assert(!stdout.includes("SECRET"));
  });
});

Deno.test("what is told without a model is one line of JSON in the modes of programs", async () => {
  await withScratch(async ({ workspace }) => {
    for (const mode of ["json", "rpc"]) {
      const flags = [["--doctor"], ["--show-config"], ["--list-tools"], [
        "--call-tool",
        "glob",
        '{"pattern":"*"}',
      ]];
      for (const flag of flags) {
        const { code, stdout } = await runProgram(
          ["--mode", mode, "--provider", "openai", ...flag],
          { cwd: workspace, env: { OPENAI_API_KEY: "sk-SECRET" } },
        );
        assert.equal(code, 0, flag[0]!);
        assert.match(stdout, /^[^\n]+\n$/, flag[0]!);
        const told = JSON.parse(stdout);
        assert(!stdout.includes("SECRET"));
        if (flag[0] !== "--doctor") continue;
        assert.deepEqual(
          [told.provider, told.key_source, told.key_variables],
          ["openai", "OPENAI_API_KEY", ["OPENAI_API_KEY"]],
        );
      }
    }
  });
});

Deno.test("piped text stands before the words of the prompt", async () => {
  await withScratch(async ({ root, workspace }) => {
    const play = await cassette(join(root, "say.jsonl"), [say("done")]);
    const { stdout } = await runProgram(["--mode", "json", ...play, "sum", "up"], {
      cwd: workspace,
      stdin: "a\nb\n",
    });
    const start = recordsOf(stdout).find(({ type }) => type === "run_start");
    assert.equal(start?.prompt, "a\nb\n\nsum up");
  });
});

function* filesIn(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* filesIn(path);
    else if (entry.isFile) yield path;
  }
}

Deno.test("--licenses prints the notices of all that the program holds, without settings or a home", async () => {
  await withScratch(async ({ workspace }) => {
    const { code, stdout, stderr } = await runProgram(["--licenses"], {
      cwd: workspace,
      env: { HOME: "" },
    });
    assert.deepEqual([code, stderr], [0, ""]);
    for (const words of ["The nimlet authors", "the Deno authors", "Philip Hazel", "\nzod "]) {
      assert.ok(stdout.includes(words), words);
    }
  });
});
