import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { callAnswer, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { withScratch } from "../support/program.ts";
import { programOnPath, runShell } from "../support/shell.ts";
import { contentOf, messagesOf, startStrictServer } from "../support/strict_server.ts";
import { installed, testWhere } from "../support/test_where.ts";

const docs = new URL("../../docs/", import.meta.url);
const page = await Deno.readTextFile(new URL("scripting.md", docs));

/** The fenced blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp("^```" + language + "\\n([\\s\\S]*?)^```$", "gm"))]
    .map(([, body]) => body!);
}

/** The commands of the page as shell scripts: those of its shell blocks, of the job, of the timetable. */
function scripts(): string[] {
  const steps = blocks("yaml").flatMap((text) =>
    [...text.matchAll(/^( +)- run: \|\n((?:\1 {4}.*\n)+)/gm)].map(([, , body]) => body!)
  );
  const lines = blocks("cron").map((text) => text.replace(/^(\S+ +){4}\S+ +/, ""));
  return [...blocks("sh"), ...steps, ...lines];
}

testWhere(
  [installed("jq"), installed("git")],
  "every command of the scripting page does what it says",
  async () => {
    const server = startStrictServer(({ body }) => {
      const messages = messagesOf(body);
      if (contentOf(messages[0]).includes("JSON Schema")) {
        return textAnswer("chat", '{"severity":"low","summary":"fine"}');
      }
      const last = contentOf(messages.at(-1));
      if (last === "Run the tests.") {
        return callAnswer("chat", [{ name: "bash", input: { command: "echo ran; exit 3" } }, {
          name: "read",
          input: { path: "none.txt" },
        }]);
      }
      return textAnswer("chat", `heard: ${last.split("\n").at(-1)}`);
    });
    try {
      await withScratch(async ({ workspace, home, root }) => {
        await pointAt(home, server.url, {
          default_provider: "openai-compatible",
          default_model: "m1",
        });
        const git = await runShell(
          `git init -q . && git config user.email a@b && git config user.name n &&
          printf 'one\\n' > README.md && cp README.md more.md && git add . && git commit -qm one &&
          printf 'two\\n' > README.md && git commit -qam two && printf 'three\\n' > README.md &&
          ln -s "$PWD" "$HOME/project"`,
          { root, cwd: workspace },
        );
        assert.equal(git.code, 0, git.stderr);
        const all = scripts();
        assert.equal(all.length, 17, "every block of the page is found");
        const printed: string[] = [];
        for (const script of all) {
          const { code, stdout, stderr } = await runShell(`set -eo pipefail\n${script}`, {
            root,
            cwd: workspace,
          });
          assert.deepEqual([code, stderr], [0, ""], script);
          printed.push(stdout);
        }
        const text = (name: string) => Deno.readTextFileSync(`${workspace}/${name}`);
        assert.equal(text("message.txt"), "heard: Write a commit message for this diff.\n");
        assert.match(server.requests[0]!.text, /\+three/);
        assert.match(printed[1]!, /^It is heard: Which license/);
        assert.equal(text("notes.md"), "heard: Write release notes for the last ten commits.\n");
        assert.equal(JSON.parse(text("risk.json")).severity, "low");
        const output = printed.join("\n");
        assert.match(output, /bash \{"command":"echo ran; exit 3"\}/);
        assert.match(output, /"status": "done"/);
        assert.match(output, /heard: Which of them is the slowest\?\nheard: Make it faster\./);
        assert.match(output, /spelling mistake in README\.md\?\n.*spelling mistake in more\.md/);
        assert.match(output, /heard: Summarise more\.md in one line\./);
        assert.match(text("nimlet.log"), /heard: Update the changelog/);
        assert.equal(
          printed.find((part) => part.includes("Say hello")),
          "heard: Say hello.\n".repeat(2),
        );
        assert.match(output, /^heard: Count the modules\.$/m);
        assert.match(text("log.txt"), /^nimlet: session \S+\nnimlet: step 1, /);
        assert.deepEqual(server.refusals, []);
      });
    } finally {
      await server.close();
    }
  },
);

for (
  const [client, command] of [["rpc_client.ts", [Deno.execPath(), "run", "--quiet", "-A"]], [
    "rpc_client.py",
    ["python3"],
  ]] as const
) {
  testWhere(
    installed(command[0]),
    `the example ${client} works on a prompt, and answers questions`,
    async () => {
      await withScratch(async ({ workspace, root, home }) => {
        const play = await cassette(`${root}/c.jsonl`, [
          call("glob", { pattern: "*" }),
          call("bash", { command: "touch made" }),
          say("The \u2028 answer."),
        ]);
        const nimlet = `${await programOnPath(root)}/nimlet`;
        const path = decodeURIComponent(new URL(`examples/${client}`, docs).pathname);
        const [file, ...first] = command;
        const { code, stdout, stderr } = await new Deno.Command(file, {
          args: [...first, path, "look around", ...play],
          cwd: workspace,
          env: { NIMLET: nimlet, HOME: home, DENO_DIR: denoDir(), PYTHONIOENCODING: "utf-8" },
          stdin: "null",
        }).output();
        const told = new TextDecoder().decode(stderr);
        assert.equal(code, 0, told);
        assert.equal(new TextDecoder().decode(stdout), "The \u2028 answer.\n");
        assert.match(told, /glob/);
        assert.match(told, /denied: touch made/);
        assert.match(told, /^6 messages, 2 tool calls$/m);
        assert.throws(() => Deno.statSync(`${workspace}/made`));

        const refused = await new Deno.Command(file, {
          args: [...first, path, "x", "--no-such-flag"],
          cwd: workspace,
          env: { NIMLET: nimlet, HOME: home, DENO_DIR: denoDir() },
          stdin: "null",
        }).output();
        assert.equal(refused.code, 1);
        assert.match(
          new TextDecoder().decode(refused.stderr),
          /^nimlet: unknown flag [^\n]+\nnimlet has ended\n$/,
        );
      });
    },
  );
}

function denoDir(): string {
  return Deno.env.get("DENO_DIR") ??
    `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
}
