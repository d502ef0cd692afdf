/**
 * Which functions of the bundle are compiled when their file is: those that every start runs.
 *
 * The runtime keeps the compiled form of a file for the next start, but only of what was compiled
 * before anything ran. A function in parentheses is compiled at once, so the start is rehearsed here
 * and each function that ran is written so; that takes a tenth off every start.
 */

/** Rewrites the files of a finished bundle, whose entry is `main.js`. */
export async function compileAhead(bundle: string): Promise<void> {
  const used = await rehearse(bundle);
  for (const { url, functions } of used) {
    const name = url.slice(url.lastIndexOf("/") + 1);
    if (name === rehearsal) continue;
    const path = `${bundle}/${name}`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, withHotFirst(text, functions));
  }
}

const rehearsal = "rehearsal.js";

/** What a JavaScript engine says of one file; offsets count UTF-16 units. */
interface Coverage {
  readonly url: string;
  readonly functions: readonly FunctionCoverage[];
}

interface FunctionCoverage {
  /** The first is the whole function. */
  readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
}

/** Runs one prompt against a model that answers at once. */
async function rehearse(bundle: string): Promise<Coverage[]> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-rehearsal-" });
  const model = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () =>
      new Response(answer, {
        headers: { "content-type": "text/event-stream", connection: "close" },
      }),
  );
  try {
    const endpoint = `http://127.0.0.1:${model.addr.port}/v1`;
    await Deno.mkdir(`${folder}/.nimlet`);
    await Deno.writeTextFile(
      `${folder}/.nimlet/config.json`,
      JSON.stringify({
        default_provider: "openai-compatible",
        default_model: "m",
        providers: { "openai-compatible": { endpoint, api_key: "none" } },
      }),
    );
    // Coverage is written where the program ends by itself.
    await Deno.writeTextFile(
      `${bundle}/${rehearsal}`,
      `Deno.exit = () => {}; await import("./main.js");`,
    );
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-all", "--no-config", `--coverage=${folder}/coverage`],
        ...[`${bundle}/${rehearsal}`, "-p", "Hello."],
      ],
      cwd: folder,
      clearEnv: true,
      env: { HOME: folder, PATH: Deno.env.get("PATH") ?? "" },
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stdout);
    if (!success || said !== "Hi.\n") {
      throw new Error(`the rehearsal failed: ${said}${new TextDecoder().decode(stderr)}`);
    }
    const found: Coverage[] = [];
    for await (const { name } of Deno.readDir(`${folder}/coverage`)) {
      if (name.endsWith(".json")) {
        found.push(JSON.parse(await Deno.readTextFile(`${folder}/coverage/${name}`)));
      }
    }
    return found;
  } finally {
    await Deno.remove(`${bundle}/${rehearsal}`);
    await model.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}

const answer = [
  { choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + "data: [DONE]\n\n";

/**
 * `text` with the outermost functions that ran at its beginning, where declared functions count as
 * being anyway.
 */
export function withHotFirst(text: string, functions: readonly FunctionCoverage[]): string {
  const ranges = functions.map(({ ranges }) => ranges[0]!)
    .filter(({ startOffset, endOffset }) => endOffset - startOffset < text.trimEnd().length)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  let head = "", rest = "", at = 0, outerEnd = 0;
  for (const { startOffset, endOffset, count } of ranges) {
    if (startOffset < outerEnd) continue;
    outerEnd = endOffset;
    const code = text.slice(startOffset, endOffset);
    const name = /^(?:async )?function ?\*? ?([\w$]+)\(/.exec(code)?.[1];
    // A declaration stands at the beginning of a statement.
    const isStatement = startOffset === 0 || ";}\n".includes(text[startOffset - 1]!);
    if (count === 0 || name === undefined || !isStatement) continue;
    head += `var ${name}=(${code});`;
    rest += text.slice(at, startOffset);
    at = endOffset;
  }
  return head + rest + text.slice(at);
}
