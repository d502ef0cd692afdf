import assert from "node:assert/strict";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only, typesOf } from "../support/records.ts";
import { linux, testWhere } from "../support/test_where.ts";

/** A provider that has a file made, mended and read, and then answers. */
function workingProvider() {
  return startFakeProvider([
    callAnswer("chat", [{ name: "bash", input: { command: "printf 'one\\ntwo\\n' > made.txt" } }]),
    callAnswer("chat", [
      { name: "edit", input: { path: "made.txt", old_text: "two", new_text: "2" } },
      { name: "read", input: { path: "made.txt" } },
    ], "Now the edit."),
    textAnswer("chat", "All done."),
  ]);
}

function configured(url: string) {
  return JSON.stringify({ providers: { "openai-compatible": { endpoint: url } } });
}

const flags = ["--provider", "openai-compatible", "--model", "m1"];

for (const form of ["print", "json", "console"] as const) {
  Deno.test(`a server that asks for bash, edit and read gets its work done in ${form} form`, async () => {
    const provider = workingProvider();
    try {
      await withScratch(async ({ workspace, home }) => {
        await Deno.mkdir(`${home}/.nimlet`);
        await Deno.writeTextFile(`${home}/.nimlet/config.json`, configured(provider.url));
        const own = form === "print" ? ["-p"] : form === "json" ? ["--mode", "json"] : [];
        const result = await runProgram([...flags, ...own, "make the file"], { cwd: workspace });
        assert.equal(result.code, 0, result.stderr);
        assert.equal(await Deno.readTextFile(`${workspace}/made.txt`), "one\n2\n");
        assert.equal(provider.requests.length, 3);
        const last = JSON.stringify(provider.requests[2]!.body);
        assert.match(last, /2\\t2/, "the read's result went back");
        switch (form) {
          case "print":
            assert.equal(result.stdout, "All done.\n");
            assert.equal(result.stderr, "");
            break;
          case "console":
            assert.match(result.stdout, /Now the edit\.\nAll done\.\n/);
            assert.match(result.stderr, /● bash printf/);
            assert.match(result.stderr, /\+2/);
            break;
          case "json": {
            const records = checkedRecords(result.stdout);
            assert.deepEqual(typesOf(records).slice(0, 4), [
              "session_start",
              "run_start",
              "message",
              "step_start",
            ]);
            assert.deepEqual(typesOf(records).slice(-3), ["message", "run_end", "session_end"]);
            assert.equal(only(records, "tool_call").length, 3);
            assert.deepEqual(only(records, "tool_result").map((record) => record.is_error), [
              false,
              false,
              false,
            ]);
            const final = only(records, "message").at(-1)!;
            assert.equal(final.content, "All done.");
            assert.equal(final.final, true);
            assert.deepEqual(only(records, "run_end")[0]!.usage, {
              input_tokens: 33,
              output_tokens: 21,
            });
          }
        }
      });
    } finally {
      await provider.close();
    }
  });
}

Deno.test("the first request is small, with all nine tools", async () => {
  const provider = startFakeProvider([textAnswer("chat", "hi")]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(`${home}/.nimlet/config.json`, configured(provider.url));
      await runProgram([...flags, "-p", "hi"], { cwd: workspace });
      const [request] = provider.requests;
      const tools = request!.body.tools as { function: { name: string } }[];
      assert.deepEqual(tools.map((tool) => tool.function.name).sort(), [
        "ask_user",
        "bash",
        "edit",
        "git",
        "glob",
        "grep",
        "read",
        "read_skill",
        "write",
      ]);
      assert.ok(request!.text.length <= 8192, `the body has ${request!.text.length} bytes`);
    });
  } finally {
    await provider.close();
  }
});

Deno.test("stdin is put before the prompt words, with a blank line between", async () => {
  const provider = startFakeProvider([textAnswer("chat", "hi")]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(`${home}/.nimlet/config.json`, configured(provider.url));
      const result = await runProgram([...flags, "sum", "it up"], {
        cwd: workspace,
        stdin: "line 1\nline 2\n",
      });
      assert.equal(result.stdout, "hi\n", "piped stdin and stdout that is no terminal: print form");
      const messages = provider.requests[0]!.body.messages as { role: string; content: unknown }[];
      assert.match(JSON.stringify(messages.at(-1)), /line 1\\nline 2\\n\\nsum it up/);
    });
  } finally {
    await provider.close();
  }
});

testWhere(
  linux,
  "an edit names a program that has the file open for writing",
  () =>
    withScratch(async ({ workspace }) => {
      await Deno.writeTextFile(`${workspace}/app.log`, "one\n");
      using log = await Deno.open(`${workspace}/app.log`, { append: true });
      const edit = async (old_text: string, new_text: string) => {
        const input = JSON.stringify({ path: "app.log", old_text, new_text });
        const result = await runProgram(["--call-tool", "edit", input], { cwd: workspace });
        assert.equal(result.code, 0, result.stderr);
        return result.stdout;
      };
      assert.match(await edit("one", "two"), /^open elsewhere: another program has the replaced/m);
      log.writeSync(new TextEncoder().encode("late\n"));
      assert.doesNotMatch(await edit("two", "three"), /open elsewhere/);
      assert.equal(await Deno.readTextFile(`${workspace}/app.log`), "three\n");
      assert.deepEqual([...Deno.readDirSync(workspace)].map(({ name }) => name), ["app.log"]);
    }),
);
