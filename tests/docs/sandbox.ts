/** The folder, the programs and the servers that the shown commands run against. */
import { dirname } from "node:path";
import { providers } from "../../src/providers/catalog.ts";
import type { RecordedRequest } from "../support/fake_http.ts";
import {
  callAnswer,
  type FakeWire,
  startFakeProvider,
  textAnswer,
} from "../support/fake_provider.ts";
import { programCommand, programEnv } from "../support/program.ts";
import { root } from "./shown_commands.ts";

export interface Sandbox {
  readonly workspace: string;
  readonly env: Record<string, string>;
}

/** Makes a project with a home, `nimlet` and `deno` on PATH, and every provider on loopback. */
export async function withSandbox<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const scratch = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-docs-" }));
  const provider = startFakeProvider([answer], { repeatLast: true });
  try {
    const [workspace, home, bin] = ["project", "home", "bin"].map((name) =>
      `${scratch}/${name}`
    ) as [
      string,
      string,
      string,
    ];
    await putPrograms(bin);
    await putHome(home, provider.url);
    const env = {
      ...programEnv(home),
      PATH: `${bin}:${Deno.env.get("PATH") ?? ""}`,
      NIMLET_ROOT: root,
      OPENROUTER_API_KEY: "k",
      ...gitIdentity,
    };
    await putProject(workspace, env);
    return await use({ workspace, env });
  } finally {
    await provider.close();
    await Deno.remove(scratch, { recursive: true });
  }
}

const gitIdentity = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

/** A search first where a rename is asked for, so that tool calls can be seen; else an answer. */
function answer(request: RecordedRequest) {
  const wire = wireOf(request.path);
  const starts = request.text.includes("Rename") && !request.text.includes("tool_call_id");
  return starts
    ? callAnswer(wire, [{ name: "grep", input: { pattern: "--colour" } }])
    : textAnswer(wire, "Fine.");
}

function wireOf(path: string): FakeWire {
  if (path.includes("/responses")) return "responses";
  if (path.includes("/messages")) return "anthropic";
  return path.includes("GenerateContent") ? "google" : "chat";
}

async function putPrograms(bin: string): Promise<void> {
  await Deno.mkdir(bin);
  const command = programCommand().map((part) => `'${part}'`).join(" ");
  const programs = {
    nimlet: `#!/bin/sh\nexec ${command} "$@"\n`,
    deno: `#!/bin/sh\nexec '${Deno.execPath()}' "$@"\n`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await Deno.writeTextFile(`${bin}/${name}`, text, { mode: 0o755 });
  }
}

const earlierSession = [
  { kind: "session", version: 2, id: "earlier", workspace: "/elsewhere", created: "2026-01-31" },
  {
    kind: "assistant",
    content: [{ type: "tool_use", id: "c1", name: "bash", input: { command: "npm test" } }],
  },
].map((record) => `${JSON.stringify(record)}\n`).join("");

/** Settings that point every provider at `url`, and the tool of the docs. */
async function putHome(home: string, url: string): Promise<void> {
  const tool = `${home}/.nimlet/tools/word-count`;
  await Deno.mkdir(tool, { recursive: true });
  const names = providers.map(({ name }) => name).filter((name) => name !== "replay");
  const known = Object.fromEntries(names.map((name) => [name, { endpoint: url }]));
  const config = { providers: { ...known, work: { api: "chat", endpoint: url } } };
  await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify(config));
  await Deno.mkdir(`${home}/.nimlet/sessions`);
  await Deno.writeTextFile(`${home}/.nimlet/sessions/earlier.jsonl`, earlierSession);
  const manifest = {
    name: "word_count",
    description: "Count the words in a text.",
    command: ["word-count"],
    input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    capabilities: ["read"],
  };
  await Deno.writeTextFile(`${tool}/tool.json`, JSON.stringify(manifest));
  await Deno.writeTextFile(`${tool}/word-count`, "#!/bin/sh\nwc -w\n", { mode: 0o755 });
}

/** A git repository with a staged and an unstaged change, and the files that commands name. */
async function putProject(workspace: string, env: Record<string, string>): Promise<void> {
  await Deno.mkdir(workspace);
  const files = {
    "README.md": "# A project\n",
    "cli.txt": "--colour\n",
    "build.log": "error: missing semicolon\n",
    "arguments.json": '{"text":"x y"}',
    "api/README.md": "# The API\n",
    "web/README.md": "# The pages\n",
    "run.jsonl": '[{"type":"text","delta":"Fine."}]\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${workspace}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${workspace}/${name}`, text);
  }
  const git = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("git", { args, cwd: workspace, env })
      .output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "-m", "Start");
  await Deno.writeTextFile(`${workspace}/README.md`, "# The project\n");
  await git("add", ".");
  await Deno.writeTextFile(`${workspace}/README.md`, "# The project, mended\n");
}
