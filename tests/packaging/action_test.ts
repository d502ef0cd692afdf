/** The tests of the GitHub Action: its form, and what its steps do on a machine that stands for a runner. */
import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { call, cassette, say } from "../support/cassette.ts";
import { programEnv, withScratch } from "../support/program.ts";
import { programOnPath } from "../support/shell.ts";
import { fromFileUrl } from "../support/streams.ts";
import { posix, testWhere } from "../support/test_where.ts";

const root = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");

interface Step {
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
}

Deno.test("action: a composite action whose inputs reach the scripts by the environment alone", async () => {
  const text = await Deno.readTextFile(`${root}/action.yml`);
  const document = parseDocument(text);
  assert.deepEqual([document.errors, document.warnings], [[], []]);
  const action = document.toJS();
  assert.equal(action.runs.using, "composite");
  for (const name of Object.keys(action.inputs)) {
    assert.ok(text.includes(`\${{ inputs.${name} }}`), `${name} is used`);
    assert.ok(action.inputs[name].description, name);
  }
  for (const [, name] of text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)) {
    assert.ok(action.inputs[name!], `${name} is an input`);
  }
  for (const step of action.runs.steps as Step[]) {
    assert.equal(step.shell, "bash");
    assert.doesNotMatch(step.run!, /\$\{\{/, "nothing of a stranger's becomes text of a script");
    const script = /"\$GITHUB_ACTION_PATH\/(.+)"/.exec(step.run!)![1]!;
    const { mode } = await Deno.stat(`${root}/${script}`);
    assert.ok(mode === null || (mode & 0o111) !== 0, `${script} can be run`);
    const used = (await Deno.readTextFile(`${root}/${script}`)).match(/\bINPUT_[A-Z]+/g) ?? [];
    for (const name of used) assert.ok(step.env![name], `${name} is set`);
  }
  for (const { value } of Object.values(action.outputs) as { value: string }[]) {
    const name = /steps\.run\.outputs\.([\w-]+)/.exec(value)![1]!;
    const run = await Deno.readTextFile(`${root}/scripts/packaging/action/run.sh`);
    assert.match(run, new RegExp(`echo "${name}(=|<<)`));
  }
});

interface Ran {
  readonly code: number;
  readonly said: string;
  readonly outputs: Record<string, string>;
  readonly summary: string;
}

/** Runs the second step as a runner does. */
async function runStep(
  { root: scratch, workspace, home }: { root: string; workspace: string; home: string },
  inputs: Record<string, string>,
): Promise<Ran> {
  const bin = await programOnPath(scratch);
  const all = programEnv(home);
  const places = { output: `${scratch}/output`, summary: `${scratch}/summary` };
  for (const path of Object.values(places)) await Deno.writeTextFile(path, "");
  const { code, stdout, stderr } = await new Deno.Command(
    `${root}/scripts/packaging/action/run.sh`,
    {
      cwd: workspace,
      clearEnv: true,
      env: {
        ...all,
        PATH: `${bin}:${all.PATH}`,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: places.output,
        GITHUB_STEP_SUMMARY: places.summary,
        RUNNER_TEMP: scratch,
        INPUT_FLAGS: "",
        INPUT_OUTPUT: "",
        INPUT_SCHEMA: "",
        ...inputs,
      },
      stdin: "null",
    },
  ).output();
  const decoder = new TextDecoder();
  return {
    code,
    said: decoder.decode(stdout) + decoder.decode(stderr),
    outputs: outputsOf(await Deno.readTextFile(places.output)),
    summary: await Deno.readTextFile(places.summary),
  };
}

/** `name=value` and `name<<end ... end`, as a runner reads them. */
function outputsOf(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, name, mark, rest] = /^([\w-]+)(=|<<)(.*)$/.exec(lines[at]!) ?? [];
    if (name === undefined) continue;
    if (mark === "=") outputs[name] = rest!;
    else {
      const end = lines.indexOf(rest!, at);
      outputs[name] = lines.slice(at + 1, end).join("\n");
      at = end;
    }
  }
  return outputs;
}

testWhere(
  posix,
  "action: the answer goes to the summary, the outputs and a file",
  () =>
    withScratch(async (places) => {
      const played = await cassette(`${places.root}/a cassette.jsonl`, [
        call("glob", { pattern: "*" }),
        say("Line one.\nanswer<<end\nLine three."),
      ]);
      const flags = played.map((word) => `'${word}'`).join(" ") + "\n--max-steps 5\n";
      const { code, said, outputs, summary } = await runStep(places, {
        INPUT_PROMPT: '-p $(touch pwned) `x` "quoted"',
        INPUT_FLAGS: flags,
        INPUT_OUTPUT: "answer.md",
      });
      assert.equal(code, 0, said);
      const answer = "Line one.\nanswer<<end\nLine three.";
      assert.deepEqual([outputs.answer, outputs["exit-code"]], [answer, "0"]);
      assert.equal(summary, `${answer}\n`);
      assert.equal(await Deno.readTextFile(`${places.workspace}/answer.md`), `${answer}\n`);
      const result = JSON.parse(await Deno.readTextFile(outputs["result-file"]!));
      assert.deepEqual([result.status, result.steps], ["done", 2]);
      const names = [...Deno.readDirSync(places.workspace)].map(({ name }) => name);
      assert.deepEqual(names, ["answer.md"], "nothing of the prompt was run");
      const [session] = [...Deno.readDirSync(`${places.home}/.nimlet/sessions`)]
        .filter(({ name }) => name.endsWith(".jsonl"));
      const records = await Deno.readTextFile(`${places.home}/.nimlet/sessions/${session!.name}`);
      assert.ok(records.includes("$(touch pwned) `x`"), "the prompt was sent as it is");
    }),
);

testWhere(
  posix,
  "action: a failure is the step's, with an empty answer and a word in the summary",
  () =>
    withScratch(async (places) => {
      const limit = await cassette(`${places.root}/c.jsonl`, [call("glob", { pattern: "*" })]);
      const failed = await runStep(places, {
        INPUT_PROMPT: "go",
        INPUT_FLAGS: [...limit, "--max-steps", "1"].join(" "),
      });
      assert.deepEqual([failed.code, failed.outputs.answer], [3, ""]);
      assert.match(failed.summary, /exit status 3/);
      const quote = await runStep(places, { INPUT_PROMPT: "go", INPUT_FLAGS: "--model 'x" });
      assert.equal(quote.code, 2);
      assert.match(quote.said, /the input flags has a quote without its end/);
    }),
);

testWhere(
  posix,
  "action: a nimlet that is on PATH already is used",
  () =>
    withScratch(async ({ root: scratch, workspace, home }) => {
      const bin = await programOnPath(scratch);
      const all = programEnv(home);
      await Deno.writeTextFile(`${scratch}/path`, "");
      const { code, stdout } = await new Deno.Command(
        `${root}/scripts/packaging/action/install.sh`,
        {
          cwd: workspace,
          clearEnv: true,
          env: {
            ...all,
            PATH: `${bin}:${all.PATH}`,
            RUNNER_TEMP: scratch,
            GITHUB_PATH: `${scratch}/path`,
          },
        },
      ).output();
      assert.equal(code, 0);
      assert.match(new TextDecoder().decode(stdout), /^nimlet \d/);
      assert.equal(await Deno.readTextFile(`${scratch}/path`), "");
    }),
);
