/** What the judgement calls plain is run with a real shell, in which the listed programs leave a mark. */
import assert from "node:assert/strict";
import { commandJudge } from "../../src/permissions/judge.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { withWorkspace } from "../support/tool_context.ts";

// rm stands for all that is listed: here it is a stub, and nothing else of that kind can be found.
const tools = [
  "cat",
  "env",
  "find",
  "grep",
  "ls",
  "nice",
  "sleep",
  "tee",
  "timeout",
  "wc",
  "xargs",
];

const phrases = [
  ...["rm f", "echo a", "cat x", "grep rm x", "ls", "x=1", "x='rm f'", "echo 'rm f'", "# rm f"],
  ...['echo "rm f"', "cat <<E\nrm f\nE", "cat <<'E'\nrm f\nE", "cat <<-E\n\trm f\n\tE", "rm"],
  ...["[ -f rm ]", "[[ a == rm ]]", "(echo rm)", "{ echo rm; }", "if true; then echo rm; fi"],
  ...[
    "for i in rm; do echo $i; done",
    "case rm in rm) echo x;; esac",
    "! grep rm x",
    "echo rm > o",
  ],
  ...[
    "time echo rm",
    "cat < l",
    "xargs echo < l",
    "find . -name rm",
    "env X=1 echo rm",
    "echo $x rm",
  ],
  ...["echo \\\n rm", "wc -l <<< rm", "nice echo rm", "sh o", "echo rm f | tee o"],
];
const joints = [
  "\n",
  ";",
  "|",
  "&&",
  "||",
  " & ",
  " ",
  "",
  "\\\n",
  " # ",
  " <<'E'\n",
  "\nE\n",
  "'\n",
];
const pieces = [
  ...[
    "'",
    '"',
    "\\",
    "\n",
    "<<E",
    "\nE\n",
    "E",
    "$(",
    ")",
    "`",
    ";",
    "|",
    "&",
    " ",
    "\t",
    "#",
    "\r",
  ],
  ...[
    "rm f",
    "rm",
    "r",
    "m",
    " f",
    "$x",
    "${x}",
    '"$x"',
    "{",
    "}",
    "{ ",
    "; }",
    "(",
    "<",
    ">",
    "<<<",
  ],
  ...[
    "<<'E'",
    "<<-E",
    "<<\\E",
    "'a'",
    "$'a'",
    "''",
    '""',
    "!",
    "~",
    "=",
    "%",
    "*",
    "?",
    "-",
    "2>&1",
  ],
  ...[
    "[[ ",
    " ]]",
    "[ ",
    " ]",
    "case x in ",
    "x) ",
    ";;",
    " esac",
    "then ",
    "do ",
    "; done",
    "; fi",
  ],
  ...["time ", "exec ", "command ", "env ", "eval ", "sh ", "xargs ", "find . -maxdepth 0 -exec "],
];

/** A few phrases joined, with one piece put in or one character taken out; or pieces alone. */
function randomCommand(random: Random): string {
  const joined = (items: readonly string[], count: number) =>
    Array.from({ length: count }, () => random.pick(items)).join("");
  if (random.oneIn(3)) return joined(pieces, 2 + random.below(10));
  let command = random.pick(phrases);
  for (let left = 1 + random.below(3); left > 0; left--) {
    command += random.pick(joints) + random.pick(phrases);
  }
  const at = random.below(command.length), after = at + random.below(2);
  return command.slice(0, at) + (random.oneIn(4) ? "" : random.pick(pieces)) + command.slice(after);
}

/** Those of the commands that run a listed program, each in a folder of its own. */
async function runsListed(folder: string, commands: readonly string[]): Promise<string[]> {
  const bin = `${folder}/bin`;
  await Deno.mkdir(bin);
  const links = tools.map((tool) => `ln -s "$(command -v ${tool})" '${bin}/${tool}'`).join("\n");
  const stub = `#!/bin/sh\n: > '${folder}/mark'\n`;
  await Deno.writeTextFile(`${bin}/rm`, stub, { mode: 0o755 });
  await Deno.writeTextFile(`${folder}/commands`, commands.map((one) => `${one}\0`).join(""));
  const script = `${links}
    shell=$(command -v bash) limit=$(command -v timeout) number=0
    while IFS= read -r -d '' command; do
      number=$((number + 1))
      mkdir "${folder}/$number" && cd "${folder}/$number" && echo f > l && echo h > x && echo k > f
      PATH='${bin}' "$limit" -s KILL 5 "$shell" -c "$command" < /dev/null > /dev/null 2>&1
      if [ -e '${folder}/mark' ]; then
        printf '%s\\0' "$command"
        rm '${folder}/mark'
      fi
    done < '${folder}/commands'`;
  const { stdout } = await new Deno.Command("bash", { args: ["-c", script], stdin: "null" })
    .output();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

Deno.test("no plain command runs a listed program, by the word of a real shell", () =>
  withWorkspace(async (folder) => {
    const judge = commandJudge(), random = seededRandom(11), plain = new Set<string>();
    for (let round = 0; round < 6000 && plain.size < 300; round++) {
      const command = randomCommand(random);
      if (!/r[^]*m/.test(command) || /[\0]/.test(command)) continue;
      if ((await judge(command)).kind === "plain") plain.add(command);
    }
    assert(plain.size > 200, `only ${plain.size} commands to try`);
    // the last one shows that the stub is found
    assert.deepEqual(await runsListed(folder, [...plain, "echo a; rm f"]), ["echo a; rm f"]);
  }));
