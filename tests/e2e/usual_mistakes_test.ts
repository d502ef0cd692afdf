/** What the program prints for mistakes that people often make: the sentences that the docs explain. */
import assert from "node:assert/strict";
import { shownMessages } from "../docs/shown_messages.ts";
import { errorAnswer, startFakeProvider } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";

interface Mistake {
  readonly args: (url: string) => string[];
  readonly env?: Record<string, string>;
  /** What the server answers. */
  readonly status?: number;
  readonly words?: string;
  /** Files of the home folder and the workspace. */
  readonly config?: string;
  readonly files?: Record<string, string>;
  readonly code: number;
  /** As the troubleshooting page has it. */
  readonly message: string;
}

const hi = ["-p", "hi"];
const mistakes: Record<string, Mistake> = {
  "no key": { args: () => hi, code: 2, message: "no key for provider …: set …" },
  "a wrong key": {
    args: (url) => ["--provider", "openai", "--model", "gpt-5", "--endpoint", url, ...hi],
    env: { OPENAI_API_KEY: "sk-wrong" },
    status: 401,
    words: "Incorrect API key provided",
    code: 1,
    message: "… answered …; check the key in …",
  },
  "an unknown model": {
    args: (url) => ["--endpoint", url, "--model", "gpt-55", ...hi],
    status: 404,
    words: "The model `gpt-55` does not exist",
    code: 1,
    message: "… answered …; check the model's name and the endpoint",
  },
  "a model that a local server has not": {
    args: (url) => ["--provider", "local", "--model", "qwen", "--endpoint", url, ...hi],
    status: 404,
    words: "model 'qwen' not found",
    code: 1,
    message: 'check that the server has the model "…" (with Ollama: ollama pull …)',
  },
  "a typing error in a flag": {
    args: () => ["--max-step", "3", ...hi],
    code: 2,
    message: "unknown flag …; did you mean …?",
  },
  "a flag of another agent": {
    args: () => ["--output-format", "json", ...hi],
    code: 2,
    message: "there is no flag … here; …",
  },
  "an empty prompt": {
    args: () => ["-p"],
    code: 2,
    message: "no prompt: expected prompt words or text on stdin, found neither; see nimlet --help",
  },
  "a file to attach that is not there": {
    args: () => ["--attach", "missing.md", ...hi],
    code: 2,
    message: "--attach: … is not there",
  },
  "an absolute path": {
    args: () => ["--call-tool", "read", '{"path":"/etc/passwd"}'],
    code: 1,
    message: "path is outside the workspace: …",
  },
  "a cassette that is not there": {
    args: () => ["--provider", "replay", "--model", "none.jsonl", ...hi],
    code: 2,
    message: "…: there is no such cassette",
  },
  "a file that is no cassette": {
    args: () => ["--provider", "replay", "--model", "notes.txt", ...hi],
    files: { "notes.txt": "notes\n" },
    code: 2,
    message: "…: expected one JSON array of events, but …",
  },
  "a cassette that is too short": {
    args: () => ["--provider", "replay", "--model", "short.jsonl", ...hi],
    files: {
      "short.jsonl":
        '[{"type":"tool_call","id":"c","name":"glob","input":"{\\"pattern\\":\\"*\\"}"},' +
        '{"type":"finish","reason":"tool_calls"}]\n',
    },
    code: 1,
    message: "The cassette … has no step …: it holds …, and the run asks for more",
  },
  "a setting that cannot be used": {
    args: () => hi,
    config: '{ "agent": { "max_steps": "many" } }',
    code: 2,
    message: "…: expected …, found …",
  },
  "a session that is not there": {
    args: () => ["--session", "gone", ...hi],
    env: { OPENROUTER_API_KEY: "k" },
    code: 1,
    message: "there is no session … in …; --list-sessions --all shows what there is",
  },
  "nothing to resume": {
    args: () => ["--resume", "-p", "hi"],
    env: { OPENROUTER_API_KEY: "k" },
    code: 1,
    message: "--resume: there is no session of … yet; start one without --resume",
  },
};

for (const [name, mistake] of Object.entries(mistakes)) {
  Deno.test(`a usual mistake, ${name}: one sentence that the docs explain`, async () => {
    const { code, stdout, stderr } = await made(mistake);
    assert.equal(code, mistake.code, stderr);
    assert.ok(shownMessages().includes(mistake.message), "the docs do not explain it");
    const pieces = mistake.message.split("…").map((piece) =>
      piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    );
    // a tool's failure is the output of --call-tool
    const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
    const said = lines.filter((line) => new RegExp(pieces.join(".*")).test(line));
    assert.equal(said.length, 1, lines.join("\n"));
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
}

Deno.test("a usual mistake, no server: what to do is said at once and at the end", () =>
  withScratch(async ({ workspace }) => {
    const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const { port } = listener.addr;
    listener.close();
    const flags = ["--provider", "local", "--model", "qwen"];
    const { code, stderr } = await runProgram(
      [...flags, "--endpoint", `http://127.0.0.1:${port}/v1`, ...hi],
      { cwd: workspace },
    );
    assert.equal(code, 1);
    const lines = stderr.trimEnd().split("\n");
    assert.equal(lines.length, 5, stderr);
    const message = "Cannot reach …; start a local server first, for Ollama with: ollama serve";
    assert.ok(shownMessages().includes(message), "the docs do not explain it");
    const advised = lines.map((line) => line.includes("with: ollama serve"));
    assert.deepEqual(advised, [true, false, false, false, true], stderr);
  }));

async function made({ args, env, status, words, config, files, code }: Mistake) {
  const answer = errorAnswer(status ?? 500, words ?? "");
  const server = startFakeProvider([answer], { repeatLast: true });
  try {
    return await withScratch(async ({ workspace, home }) => {
      if (config !== undefined) {
        await Deno.mkdir(`${home}/.nimlet`);
        await Deno.writeTextFile(`${home}/.nimlet/config.json`, config);
      }
      for (const [path, text] of Object.entries(files ?? {})) {
        await Deno.writeTextFile(`${workspace}/${path}`, text);
      }
      const result = await runProgram(args(server.url), { cwd: workspace, env: env ?? {} });
      if (code === 2) assert.equal(server.requests.length, 0, "nothing may be sent");
      return result;
    });
  } finally {
    await server.close();
  }
}
