/**
 * The compiled code that the binary starts from: V8's own form of the functions that a rehearsal ran.
 *
 * The rehearsal is a binary with the same script and flags, and runs a prompt with three calls. What it
 * did not run is compiled when it is used.
 */
import { compileFolder, type CompileOptions } from "./compile_folder.ts";
import { RehearsedCodes } from "./rehearsed_codes.ts";

/**
 * Makes the code for the bundle in `folder` and writes it to `file`, unless the result of `deno compile`
 * says that there is no rehearsal to run. Throws where the rehearsal fails.
 */
export async function keepCode(
  folder: string,
  file: string,
  options: CompileOptions,
): Promise<{ code: number; said: string }> {
  const place = await Deno.makeTempDir({ prefix: "nimlet-rehearsal-" });
  const model = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  try {
    const binary = `${place}/rehearsal`;
    const made = await compileFolder(folder, binary, { ...options, entry: "rehearsal.js" });
    if (made.code !== 0) return made;
    const endpoint = `http://127.0.0.1:${model.addr.port}/v1`;
    const codes = new RehearsedCodes();
    for (let round = 0; round < maxRehearsals && !codes.isSettled; round++) {
      await rehearse(binary, `${place}/${round}`, endpoint, file);
      await codes.add(await Deno.readFile(file));
    }
    await Deno.writeFile(file, codes.best!);
    return made;
  } finally {
    await model.shutdown();
    await Deno.remove(place, { recursive: true });
  }
}

const maxRehearsals = 32;

async function rehearse(
  binary: string,
  place: string,
  endpoint: string,
  file: string,
): Promise<void> {
  await writeFiles(place, endpoint);
  const { success, stdout, stderr } = await new Deno.Command(binary, {
    args: ["-p", "--yolo", "Read the notes."],
    cwd: `${place}/workspace`,
    clearEnv: true,
    env: { HOME: place, PATH: Deno.env.get("PATH") ?? "", NIMLET_CODE_FILE: file },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stdout);
  if (!success || said !== "Done.\n") {
    throw new Error(`the rehearsal failed: ${said}${new TextDecoder().decode(stderr)}`);
  }
}

async function writeFiles(place: string, endpoint: string): Promise<void> {
  await Deno.mkdir(`${place}/.nimlet`, { recursive: true });
  await Deno.mkdir(`${place}/workspace`);
  await Deno.writeTextFile(`${place}/workspace/notes.txt`, "One line.\n");
  await Deno.writeTextFile(
    `${place}/.nimlet/config.json`,
    JSON.stringify({
      default_provider: "openai-compatible",
      default_model: "m",
      providers: { "openai-compatible": { endpoint, api_key: "none" } },
    }),
  );
}

/**
 * What a run does most often: a command, a file, names of files, an answer. The walk of the third is that of
 * searches as well; what grep has beyond it makes each start longer than it makes a grep shorter.
 */
const calls = [
  { name: "bash", arguments: '{"command":"cat notes.txt"}' },
  { name: "read", arguments: '{"path":"notes.txt"}' },
  { name: "glob", arguments: '{"pattern":"**/*.txt"}' },
];

async function answer(request: Request): Promise<Response> {
  const { messages }: { messages: { role: string }[] } = await request.json();
  const call = calls[messages.filter(({ role }) => role === "tool").length];
  const delta = call === undefined
    ? { content: "Done." }
    : { tool_calls: [{ index: 0, id: call.name, type: "function", function: call }] };
  const events = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    {
      choices: [{ index: 0, delta: {}, finish_reason: call === undefined ? "stop" : "tool_calls" }],
    },
  ];
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return new Response(`${lines.join("")}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream", connection: "close" },
  });
}

/** Whether V8 accepts the code in a finished binary, as that says itself. */
export async function startsFromCode(binary: string): Promise<boolean> {
  const home = await Deno.makeTempDir({ prefix: "nimlet-started-" });
  try {
    const { success, stdout, stderr } = await new Deno.Command(binary, {
      args: ["--doctor", "--mode", "json", "--provider", "local", "--model", "any"],
      cwd: home,
      clearEnv: true,
      env: { HOME: home, PATH: Deno.env.get("PATH") ?? "" },
      stdin: "null",
    }).output();
    if (!success) throw new Error(`the binary does not run: ${new TextDecoder().decode(stderr)}`);
    return JSON.parse(new TextDecoder().decode(stdout)).compiled_code === "used";
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
