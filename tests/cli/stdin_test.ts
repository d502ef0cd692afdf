import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

// A program of a few lines around readPrompt, on the real machine.
const moduleOf = (path: string) => new URL(`../../src/${path}`, import.meta.url).href;
const program = `
import { parseCommandLine } from "${moduleOf("cli/parse.ts")}";
import { readPrompt } from "${moduleOf("cli/prompt_input.ts")}";
import { realHost } from "${moduleOf("host/real_host.ts")}";
const abort = new AbortController();
Deno.addSignalListener("SIGTERM", () => abort.abort(new Error("ended")));
const host = realHost();
try {
  const { piped, text } = await readPrompt(parseCommandLine(Deno.args), host, abort.signal);
  const prompt = [piped ?? "", text].filter((part) => part !== "").join("\\n\\n");
  await host.terminal.writeOut(JSON.stringify([host.terminal.stdinKind, prompt]));
} catch (error) {
  await host.terminal.writeOut(JSON.stringify(error.message));
}
Deno.exit();
`;

async function withProgram<T>(use: (command: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-stdin-" });
  try {
    await Deno.writeTextFile(`${folder}/program.ts`, program);
    const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
    const deno = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", "--config", config];
    return await use(
      [...deno, `${folder}/program.ts`].map((each) => `'${each}'`).join(" "),
      folder,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function shell(command: string): Promise<unknown> {
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", command],
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.notEqual(text, "", new TextDecoder().decode(stderr));
  return JSON.parse(text);
}

Deno.test("every kind of stdin gives the prompt it should", async () => {
  await withProgram(async (run, folder) => {
    await Deno.writeTextFile(`${folder}/text`, "from a file\n");
    const cases: [string, unknown][] = [
      [`printf 'a\\nb\\n' | ${run} hi`, ["pipe", "a\nb\n\nhi"]],
      [`${run} hi < '${folder}/text'`, ["file", "from a file\n\nhi"]],
      [`${run} hi < /dev/null`, ["null", "hi"]],
      [`${run} hi <&-`, undefined],
      [`true | ${run} hi`, ["pipe", "hi"]],
      [`printf x | ${run} --no-stdin hi`, ["pipe", "hi"]],
      [
        `true | ${run}`,
        "no prompt: expected prompt words or text on stdin, found neither; see nimlet --help",
      ],
    ];
    for (const [command, expected] of cases) {
      const found = await shell(command);
      // a closed stdin may be opened anew by the runtime
      if (expected === undefined) assert.equal((found as string[])[1], "hi", command);
      else assert.deepEqual(found, expected, command);
    }
  });
});

Deno.test("a stdin that is a folder is told, not read for ever", async () => {
  await withProgram(async (run, folder) => {
    assert.match(String(await shell(`${run} hi < '${folder}'`)), /cannot be read/);
  });
});

Deno.test("a pipe that stays open is waited for, said on stderr, and a signal ends the wait", async () => {
  await withProgram(async (run) => {
    const child = new Deno.Command("bash", {
      args: ["-c", `exec ${run} hi`],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const stderr = child.stderr.getReader();
    const first = await stderr.read();
    await stderr.cancel();
    assert.match(new TextDecoder().decode(first.value), /^nimlet: waiting for stdin .*--no-stdin/);
    child.kill("SIGTERM");
    assert.equal(await new Response(child.stdout).text(), '"ended"');
    await child.status;
    await child.stdin.close().catch(() => {}); // its reader has gone
  });
});
