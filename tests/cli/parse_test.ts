import assert from "node:assert/strict";
import type { Options } from "../../src/cli/command_line.ts";
import type { Option } from "../../src/cli/option.ts";
import { optionTable } from "../../src/cli/options.ts";
import { loneWords, refuseLoneWord } from "../../src/cli/lone_word.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { peerAdvice, peerFlags } from "../../src/cli/peer_flags.ts";
import { RunFailure } from "../../src/core/failure.ts";

function refusal(...args: string[]): string {
  try {
    parseCommandLine(args);
  } catch (error) {
    assert(error instanceof RunFailure, String(error));
    assert.equal(error.code, "usage");
    assert(!error.message.includes("\n"), "one line");
    assert.match(error.message, /[Ss]ee nimlet --help$/);
    return error.message;
  }
  throw new Error(`expected ${JSON.stringify(args)} to be refused`);
}

Deno.test("without arguments nothing is given", () => {
  assert.deepEqual(parseCommandLine([]), {
    print: false,
    progress: false,
    interactive: false,
    plan: false,
    yolo: false,
    strict: false,
    noSession: false,
    resume: false,
    noStdin: false,
    listSessions: false,
    all: false,
    listTools: false,
    doctor: false,
    showConfig: false,
    noHooks: false,
    noExtensions: false,
    licenses: false,
    refreshModels: false,
    help: false,
    version: false,
    words: [],
  });
});

Deno.test("every value option arrives, behind a space and behind an equals sign", () => {
  const cases: [string, string, Partial<Options>][] = [
    ["mode", "json", { mode: "json" }],
    ["output", "a/b.txt", { output: "a/b.txt" }],
    ["output-schema", "s.json", { outputSchema: "s.json" }],
    ["schema", "rpc", { schema: "rpc" }],
    ["completions", "zsh", { completions: "zsh" }],
    ["provider", "openai", { provider: "openai" }],
    ["model", "a b/c", { model: "a b/c" }],
    ["thinking", "xhigh", { thinking: "xhigh" }],
    ["api-key", "sk=1", { apiKey: "sk=1" }],
    ["record", "out.jsonl", { record: "out.jsonl" }],
    ["tools", "read, grep,read", { tools: ["read", "grep"] }],
    ["ask", "deny", { ask: "deny" }],
    ["sandbox", "workspace", { sandbox: "workspace" }],
    ["sandbox-net", "a.example,*.b.example", { sandboxNet: "a.example,*.b.example" }],
    ["session", "abc", { session: "abc" }],
    ["name", "a b", { name: "a b" }],
    ["attach", "a b.png", { attach: ["a b.png"] }],
    ["export-session", "abc", { exportSession: "abc" }],
    ["delete-session", "abc", { deleteSession: "abc" }],
    ["max-steps", "7", { maxSteps: 7 }],
    ["max-cost", "0.5", { maxCost: 0.5 }],
    ["endpoint", "http://127.0.0.1:1/v1", { endpoint: "http://127.0.0.1:1/v1" }],
    ["allow", "tool:git", { allow: ["tool:git"] }],
    ["set", "a=b", { set: ["a=b"] }],
    ["timeout", "1.5", { timeout: 1.5 }],
    ["cwd", "../x", { cwd: "../x" }],
    ["call-tool", "read", { callTool: "read" }],
    ["try-hook", "PreToolUse", { tryHook: "PreToolUse" }],
  ];
  const tested = new Set(cases.map(([name]) => name));
  const missing = optionTable.filter(({ kind, name }) => kind !== "flag" && !tested.has(name));
  assert.deepEqual(missing, [], "every value option of the table is tried");
  for (const [name, value, expected] of cases) {
    for (const args of [[`--${name}`, value], [`--${name}=${value}`]]) {
      const { words: _, ...options } = parseCommandLine(
        name === "export-session" ? [...args, "a.md"] : args,
      );
      for (const [key, wanted] of Object.entries(expected)) {
        assert.deepEqual(options[key as keyof typeof options], wanted, args.join(" "));
      }
    }
  }
});

Deno.test("every flag of the table changes what is read", () => {
  const nothing = JSON.stringify(parseCommandLine([]));
  for (const { name, kind, short, needs, aliases = [] } of optionTable as Option[]) {
    if (kind !== "flag") continue;
    if (needs !== undefined) {
      assert.match(refusal(`--${name}`), new RegExp(`--${name} goes with --${needs}`));
      continue;
    }
    const long = parseCommandLine([`--${name}`]);
    assert.notEqual(JSON.stringify(long), nothing, name);
    for (
      const form of [
        ...short === undefined ? [] : [`-${short}`],
        ...aliases.map((a) => `--${a}`),
      ]
    ) {
      assert.deepEqual(parseCommandLine([form]), long, form);
    }
  }
});

Deno.test("approval is yes, no, or not said", () => {
  assert.equal(parseCommandLine(["--approve"]).approve, true);
  assert.equal(parseCommandLine(["--no-approve"]).approve, false);
  assert.equal("approve" in parseCommandLine([]), false);
});

Deno.test("words stand anywhere, and behind -- everything is a word", () => {
  const options = parseCommandLine(["fix", "-p", "the", "--model", "m", "bug", "--", "-x", "--"]);
  assert.deepEqual(options.words, ["fix", "the", "bug", "-x", "--"]);
  assert.equal(options.print, true);
  assert.deepEqual(parseCommandLine(["--", "--help"]).words, ["--help"]);
  assert.deepEqual(parseCommandLine(["-p", "/etc is a folder"]).words, ["/etc is a folder"]);
  assert.deepEqual(parseCommandLine(["-"]).words, ["-"]);
});

Deno.test("a value flag given twice: the last counts", () => {
  assert.equal(parseCommandLine(["--model", "a", "--model=b"]).model, "b");
  assert.equal(parseCommandLine(["-p", "-p"]).print, true);
  assert.match(refusal("--call-tool", "a", "--call-tool", "b"), /found it twice/);
});

Deno.test("a wrong flag is named, with the one that is probably meant", () => {
  assert.match(refusal("--provder", "x"), /unknown flag --provder; did you mean --provider\?/);
  assert.match(refusal("--max_steps=3"), /unknown flag --max_steps; did you mean --max-steps\?/);
  assert.match(refusal("--no-plan"), /unknown flag --no-plan/);
  assert.match(refusal("-x"), /unknown flag -x;/);
  assert.match(refusal("-px"), /unknown flag -x in -px/);
  assert.match(refusal("-help"), /unknown flag -e in -help/);
  assert.match(refusal("-p", "- fix this"), /after --/);
  assert.match(refusal("--- a/file\n+++ b"), /after --/);
  assert.match(refusal("--__proto__"), /unknown flag --__proto__/);
  assert.match(refusal("--constructor"), /unknown flag --constructor/);
});

Deno.test("a missing value, an empty one, and one that looks like a flag", () => {
  assert.match(refusal("--model"), /--model: expected a value \(ID\), found nothing/);
  assert.match(refusal("--model", ""), /found an empty value/);
  assert.match(refusal("--api-key", ""), /--api-key: .*found an empty value/);
  assert.match(refusal("--model", "--plan"), /found the flag --plan \(write --model=--plan/);
  assert.match(refusal("--session", "--"), /--session: expected/);
  assert.equal(parseCommandLine(["--model=--plan"]).model, "--plan");
  assert.match(refusal("--plan=yes"), /--plan takes no value, found yes/);
  assert.match(refusal("--plan="), /--plan takes no value/);
});

Deno.test("a choice is one of its values", () => {
  assert.match(refusal("--mode", "text"), /--mode: expected one of json, rpc, result, found text/);
  assert.match(refusal("--mode", "jsn"), /did you mean json\? See/);
  assert.match(refusal("--thinking", "huge"), /none, minimal, low, medium, high, xhigh, max/);
  assert.match(refusal("--ask", "Deny"), /expected one of allow, deny, found Deny/);
});

Deno.test("numbers are whole, in range, and nothing else", () => {
  for (const value of ["0", "-1", "1.5", "1e3", "0x10", "abc", " 5", "99999999999999999999", "٣"]) {
    assert.match(refusal("--max-steps", value), /--max-steps: expected a whole number from 1 to/);
  }
  for (const value of ["0", "-1", "0.0", "1e3", "5s", "Infinity", "NaN", ".", "99999999999"]) {
    assert.match(refusal("--timeout", value), /--timeout: expected a number of seconds above 0/);
  }
  assert.equal(parseCommandLine(["--timeout", "0.0001"]).timeout, 0.0001);
  assert.equal(parseCommandLine(["--timeout", ".5"]).timeout, 0.5);
  const longest = parseCommandLine(["--timeout", "2000000"]).timeout!;
  assert(longest * 1000 < 2 ** 31, "a timer can hold it");
});

Deno.test("tools are a list of names, or none alone", () => {
  assert.deepEqual(parseCommandLine(["--tools", "none"]).tools, []);
  for (const value of ["", ",", "none,read", " "]) {
    assert.match(refusal("--tools", value), /--tools: expected tool names/);
  }
});

Deno.test("flags that exclude each other are refused in either order", () => {
  for (const { name, excludes } of optionTable) {
    for (const other of excludes ?? []) {
      const forms = [name, other].map((each) => {
        const option = optionTable.find((candidate) => candidate.name === each)!;
        const value = { choice: option.choices?.[0], text: "x", flag: undefined }[
          option.kind as "choice" | "text" | "flag"
        ];
        return value === undefined ? `--${each}` : `--${each}=${value}`;
      });
      assert.match(refusal(...forms), /exclude each other/, forms.join(" "));
      assert.match(refusal(...forms.reverse()), /exclude each other/, forms.join(" "));
    }
  }
  assert.match(refusal("--no-session", "--resume"), /--no-session and --resume exclude/);
});

Deno.test("help and version are answered whatever else is excluded, but not beside a wrong flag", () => {
  assert.equal(parseCommandLine(["--help", "--no-session", "--resume"]).help, true);
  assert.equal(parseCommandLine(["--version", "--list-tools", "word"]).version, true);
  assert.match(refusal("--help", "--bogus"), /unknown flag --bogus/);
});

Deno.test("a tool is called with JSON, a file, stdin, or no arguments", () => {
  const call = (...args: string[]) => {
    const { callTool, words } = parseCommandLine(["--call-tool", ...args]);
    return [callTool, ...words];
  };
  assert.deepEqual(call("read", '{"path":"x"}'), ["read", '{"path":"x"}']);
  assert.deepEqual(call("read", "@args.json"), ["read", "@args.json"]);
  assert.deepEqual(call("read", "-"), ["read", "-"]);
  assert.deepEqual(call("read"), ["read"]);
  assert.deepEqual(call("read", "--cwd", "x", "{}"), ["read", "{}"]);
  assert.match(
    refusal("--call-tool", "read", "--call-tool=grep"),
    /--call-tool once, found it twice/,
  );
  assert.match(refusal("--call-tool", "read", "{path:", "x}"), /expected one JSON argument/);
});

Deno.test("a prompt beside a flag that takes none is refused, as it would be lost", () => {
  assert.match(
    refusal("--list-tools", "a", "b"),
    /--list-tools: expected one NAME at most, found "a b"/,
  );
  assert.match(refusal("--doctor", "a", "b"), /--doctor takes no prompt, found "a b"/);
  assert.match(refusal("--mode", "rpc", "hello"), /takes its prompts from stdin/);
});

Deno.test("a key never shows in a message", () => {
  assert(!refusal("--api-key", "-sk-secret").includes("secret"));
  assert(!refusal("--api-key=sk\0secret").includes("secret"));
});

Deno.test("whatever the arguments, they are read or refused in one sentence", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  const pieces = [
    ...optionTable.flatMap(({ name, short }) => [`--${name}`, `--${name}=x`, `-${short ?? "z"}`]),
    ..."-|--|---|=|-=|--=|--=x|-1|1|json|none|a b|\ud800|\0|-p=|{}".split("|"),
  ];
  for (let round = 0; round < 3000; round++) {
    const args = Array.from({ length: random(5) }, () => pieces[random(pieces.length)]!);
    try {
      parseCommandLine(args);
    } catch (error) {
      assert(error instanceof RunFailure, `${JSON.stringify(args)}: ${error}`);
      assert(!error.message.includes("\n"));
      assert(error.message.isWellFormed());
    }
  }
});

Deno.test("the type of the options follows from the table", () => {
  const options = parseCommandLine(["--mode", "json", "--tools", "read", "--max-steps", "2"]);
  const read: {
    readonly print: boolean;
    readonly noSession: boolean;
    readonly approve?: boolean;
    readonly mode?: "json" | "rpc" | "result";
    readonly tools?: readonly string[];
    readonly maxSteps?: number;
    readonly output?: string;
    readonly words: readonly string[];
  } = options;
  assert.deepEqual([read.mode, read.tools, read.maxSteps], ["json", ["read"], 2]);
  // @ts-expect-error -- `--no-approve` is `approve: false`
  assert.equal(options.noApprove, undefined);
  // @ts-expect-error -- no row of the table has this name
  assert.equal(options.bogus, undefined);
});

Deno.test("flags of other agents are answered with flags that are here", () => {
  assert.match(
    refusal("--resume=20260131"),
    /takes no value, .*; for a certain session use --session ID/,
  );
  assert.match(refusal("-r", "x"), /^there is no flag -r here; use --resume, or --session ID/);
  assert.match(refusal("-pr", "x"), /no flag -r here/);
  assert.match(refusal("--output-format=json"), /no flag --output-format here; use --mode json/);
  assert.match(refusal("--dangerously-skip-permissions"), /use --yolo; see/);
  assert.equal(peerAdvice("--constructor"), undefined);
  const known = new Set<string>(
    optionTable.flatMap(({ name, short, aliases = [] }) => [
      `--${name}`,
      ...aliases.map((alias) => `--${alias}`),
      ...short === undefined ? [] : [`-${short}`],
    ]),
  );
  for (const flag of Object.keys(peerFlags)) assert(!known.has(flag), `${flag} is here`);
  for (const advice of [...Object.values(peerFlags), ...Object.values(loneWords)]) {
    for (const [flag] of advice.matchAll(/(?<![\w.])--?[a-z][a-z-]*/g)) {
      assert(known.has(flag), flag);
    }
  }
});

Deno.test("one word that is a command elsewhere is refused at a terminal alone, and not after --", () => {
  const refuse = (stdin: "terminal" | "pipe" | "none", ...args: string[]) =>
    refuseLoneWord(parseCommandLine(args), stdin as "terminal");
  for (const word of Object.keys(loneWords)) {
    assert.throws(
      () => refuse("terminal", word),
      /is no command here: .*; as a prompt: nimlet -- /,
    );
  }
  assert.throws(() => refuse("terminal", "-p", "help"), /help is no command here: use --help;/);
  refuse("pipe", "help");
  refuse("terminal", "--", "help");
  refuse("terminal", "help", "me");
  refuse("terminal", "constructor");
});

Deno.test("the word right after --resume is known, wherever it stands", () => {
  const at = (...args: string[]) => parseCommandLine(args).resumeWord;
  assert.equal(at("--resume", "x", "y"), 0);
  assert.equal(at("a", "-pc", "x"), 1);
  assert.equal(at("--continue", "-p", "x"), undefined);
  assert.equal(at("--resume", "--", "x"), undefined);
  assert.equal(at("a", "--resume"), undefined);
});
