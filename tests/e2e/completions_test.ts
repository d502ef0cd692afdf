/** The check that the completion scripts work in the shells that they are for. */
import assert from "node:assert/strict";
import { optionTable } from "../../src/cli/options.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { installed, testWhere } from "../support/test_where.ts";

async function scriptFor(shell: string, workspace: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(["--completions", shell], { cwd: workspace });
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Runs a line of `shell` with the script in a file; gives the lines it printed. */
async function linesOf(
  shell: string,
  args: string[],
  { workspace, home }: { workspace: string; home: string },
): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command(shell, {
    args,
    cwd: workspace,
    clearEnv: true,
    env: { HOME: home, PATH: Deno.env.get("PATH") ?? "", LANG: "C", TERM: "dumb" },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  assert.ok(success, said);
  assert.equal(said, "");
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** A session's file, a folder and a file to find. */
async function furnish({ workspace, home }: { workspace: string; home: string }): Promise<void> {
  await Deno.mkdir(`${home}/.nimlet/sessions`, { recursive: true });
  for (const name of ["20260131-a.jsonl", "20260131-b.jsonl.recovery-1", "notes.txt"]) {
    await Deno.writeTextFile(`${home}/.nimlet/sessions/${name}`, "");
  }
  await Deno.mkdir(`${workspace}/sub folder`);
  await Deno.writeTextFile(`${workspace}/sub file`, "");
}

/** Words of a command line, the last one unfinished, and all that may complete it. */
const cases: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [["--mo"], ["--mode", "--model"]],
  [["--mode", ""], ["json", "rpc", "result"]],
  [["--thinking", "x"], ["xhigh"]],
  [["--provider", "o"], [
    "openrouter",
    "openai",
    "opencode",
    "opencodezen",
    "ollama",
    "openai-compatible",
  ]],
  [["--tools", "read,gr"], ["read,grep"]],
  [["--tools", "gl"], ["glob"]],
  [["--call-tool", "w"], ["write"]],
  [["--session", ""], ["20260131-a"]],
  [["-p", "--plan", "--ye"], []],
  [["-p", "--yo"], ["--yolo"]],
  [["--model", ""], []],
  [["--record", "sub"], ["sub file", "sub folder"]],
];

testWhere(
  installed("bash"),
  "completions: bash offers flags and what may stand behind them",
  async () => {
    await withScratch(async (scratch) => {
      await furnish(scratch);
      const script = `${scratch.outside}/nimlet.bash`;
      await Deno.writeTextFile(script, await scriptFor("bash", scratch.workspace));
      const offered = (words: readonly string[]) =>
        linesOf("bash", [
          "--norc",
          "-c",
          `eval "$(cat "$0")"; complete -p nimlet >/dev/null || exit 1; COMP_WORDS=("$@")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _nimlet
for word in "\${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done`,
          script,
          "nimlet",
          ...words,
        ], scratch);
      for (const [words, expected] of cases) {
        assert.deepEqual((await offered(words)).sort(), [...expected].sort(), words.join(" "));
      }
      // bash hands over --mode=r as three words
      assert.deepEqual(await offered(["--mode", "=", "r"]), ["rpc", "result"]);
      assert.deepEqual(await offered(["--mode", "="]), ["json", "rpc", "result"]);
      assert.deepEqual(await offered(["--cwd", "sub"]), ["sub folder"]);
      assert.deepEqual(await offered(["--", "--mo"]), []);
      const flags = await offered(["-"]);
      for (const { name } of optionTable) assert.ok(flags.includes(`--${name}`), name);
    });
  },
);

testWhere(
  installed("fish"),
  "completions: fish offers flags and what may stand behind them",
  async () => {
    await withScratch(async (scratch) => {
      await furnish(scratch);
      const script = `${scratch.outside}/nimlet.fish`;
      await Deno.writeTextFile(script, await scriptFor("fish", scratch.workspace));
      const offered = async (words: readonly string[]) => {
        const line = `nimlet ${words.join(" ")}`;
        const lines = await linesOf("fish", [
          "--no-config",
          "-c",
          `source ${script}; complete -C '${line}'`,
        ], scratch);
        return lines.map((text) => text.split("\t")[0]!.replaceAll("\\ ", " "));
      };
      for (const [words, expected] of cases) {
        // fish takes any part of a name where nothing begins with it, and a folder with its slash
        const found = (await offered(words)).map((name) => name.replace(/\/$/, ""));
        for (const name of expected) {
          assert.ok(found.includes(name), `${words.join(" ")}: ${found}`);
        }
      }
      assert.deepEqual((await offered(["--mode=r"])).sort(), ["--mode=result", "--mode=rpc"]);
      const flags = await offered(["--"]);
      for (const { name } of optionTable) {
        assert.ok(flags.includes(`--${name}`), name);
      }
    });
  },
);

testWhere(installed("zsh"), "completions: zsh knows the program and every flag", async () => {
  await withScratch(async (scratch) => {
    await furnish(scratch);
    const script = `${scratch.outside}/nimlet.zsh`;
    await Deno.writeTextFile(script, await scriptFor("zsh", scratch.workspace));
    const run = (line: string) => linesOf("zsh", ["-f", "-c", line, script], scratch);
    assert.deepEqual(
      await run(`compdef() { print -r -- "$@"; }; eval "$(cat "$0")"`),
      ["_nimlet nimlet"],
    );
    const specs = await run(
      `compdef() {}; eval "$(cat "$0")"; _arguments() { print -rl -- "$@"; }; _nimlet`,
    );
    for (const { name } of optionTable) {
      assert.ok(specs.some((spec) => new RegExp(`--${name}(=?)\\[`).test(spec)), name);
    }
    assert.ok(specs.some((spec) => spec.endsWith(":(json rpc result)")));
    assert.deepEqual(
      await run(
        `compdef() {}; eval "$(cat "$0")"; compadd() { print -rl -- $ids; }; _nimlet_sessions`,
      ),
      ["20260131-a"],
    );
  });
});
