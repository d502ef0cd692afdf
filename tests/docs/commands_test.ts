/** The running of every command that the README and the docs show. */
import assert from "node:assert/strict";
import { installed, type Need, testWhere } from "../support/test_where.ts";
import { notRun, shownBlocks } from "./shown_commands.ts";
import { withSandbox } from "./sandbox.ts";

/** What a block must print, by its first line; every block must end well in any case. */
const printed: Readonly<Record<string, RegExp>> = {
  "mkdir -p .nimlet/tools/word-count && cd .nimlet/tools/word-count": /(^|\n)\{"words": 3\}\n$/,
  'nimlet --mode json "Rename the flag --colour to --color" |': /^grep {"pattern":"--colour"}\n$/,
  'mkdir -p ~/.local/bin && ln -sf "$PWD/scripts/nimlet" ~/.local/bin/nimlet':
    /^nimlet \d+\.\d+\.\d+\n$/,
  'jq -r \'select(.kind == "assistant") | .content[] | select(.name == "bash") | .input.command\' \\':
    /^npm test\n$/,
  'nimlet --mode json "What does this project do?" | jq -c \'select(.type == "message")\'':
    /"role":"user"[^]*"content":"Fine\."/,
  "nimlet --list-tools                          # what is there, from where, what replaced what":
    /word_count[^]*\n1\n2\n$/,
  'nimlet --call-tool glob \'{"pattern": "**/*.md"}\'': /README\.md[^]*1\t# The project, mended/,
  "ls -d */ | sed 's:/$::' > repos.txt": /^(==> out\/(api|web)\.md <==\nFine\.\n\n?){2}$/,
};

const programs = ["jq", "git", "python3", "node", "parallel"].map((name) =>
  [name, installed(name)] as const
);
const blocks = shownBlocks();
const used = new Set<RegExp>();

for (const { place, lines } of blocks) {
  const script = lines.map((line) => {
    const rule = notRun.find((candidate) => candidate.line.test(line));
    if (rule === undefined) return line;
    used.add(rule.line);
    console.warn(`${place}: not run as it is: ${line.trim()} (${rule.reason})`);
    return rule.instead ?? ":";
  });
  testWhere(programsIn(script), `docs: the commands of ${place} run`, async () => {
    await withSandbox(async ({ workspace, env }) => {
      const { code, stdout, stderr } = await new Deno.Command("sh", {
        args: ["-e", "-c", script.join("\n")],
        cwd: workspace,
        clearEnv: true,
        env,
        stdin: "null",
      }).output();
      const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      assert.equal(code, 0, `${out}\n${said}`);
      const expected = printed[lines[0]!];
      if (expected !== undefined) assert.match(out!, expected);
    });
  });
}

Deno.test("docs: what is not run, and what must be printed, is still shown somewhere", () => {
  assert.ok(blocks.length >= 15, `${blocks.length} blocks`);
  const first = new Set(blocks.map(({ lines }) => lines[0]));
  for (const line of Object.keys(printed)) assert.ok(first.has(line), line);
  const kept = notRun.filter(({ line }) => !used.has(line)).map(({ line }) => String(line));
  assert.deepEqual(kept, []);
});

/** Programs other than those of every POSIX system that a script runs. */
function programsIn(script: readonly string[]): Need[] {
  const text = script.join("\n");
  return programs.filter(([name]) => new RegExp(`(^|[|;&(]\\s*)${name} `, "m").test(text))
    .map(([, need]) => need);
}
