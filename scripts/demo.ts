/**
 * The demo: nimlet repairs a small project, offline, with a recorded model and the real tools.
 *
 *     deno task demo [--keep]
 *
 * Fails where the project's tests do not pass at the end. `NIMLET_BIN` runs a binary instead.
 */
const root = decodeURIComponent(new URL("..", import.meta.url).pathname);
const fixtures = `${root}fixtures/demo`;

async function demo(keep: boolean): Promise<number> {
  const scratch = await Deno.makeTempDir({ prefix: "nimlet-demo-" });
  try {
    const project = `${scratch}/durations`;
    await copyFolder(`${fixtures}/project`, project);
    const env = { NIMLET_HOME: `${scratch}/home`, PATH: await pathWithDeno(scratch) };
    say(`A small project with a failing test: ${project}`);
    const prompt = "The tests fail. Find out why, mend it, and make them pass.";
    say(`> ${prompt}`);
    const [file, ...first] = programCommand();
    const model = ["--provider", "replay", "--model", `${fixtures}/mend.cassette.jsonl`];
    const run = await spawn(
      file,
      [...first, ...model, "--approve", "--yolo", prompt],
      project,
      env,
    );
    if (run !== 0) return fail(`nimlet ended with exit status ${run}`);
    say("The project's own tests, once more:");
    const tests = await spawn("deno", ["test", "--no-check", "src"], project, env);
    if (tests !== 0) return fail("the tests do not pass");
    say(
      keep
        ? `Done. The project is kept in ${project}`
        : "Done: the model's side was recorded, the tools were real.",
    );
    return 0;
  } finally {
    if (!keep) await Deno.remove(scratch, { recursive: true });
  }
}

function programCommand(): [string, ...string[]] {
  const binary = Deno.env.get("NIMLET_BIN");
  return binary ? [binary] : [Deno.execPath(), "run", "--quiet", "-A", `${root}main.ts`];
}

/** PATH with this very deno on it, so that the project's tests run wherever the demo does. */
async function pathWithDeno(scratch: string): Promise<string> {
  const folder = `${scratch}/bin`;
  await Deno.mkdir(folder);
  await Deno.symlink(Deno.execPath(), `${folder}/deno`);
  return `${folder}:${Deno.env.get("PATH") ?? ""}`;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    if (entry.isDirectory) await copyFolder(source, target);
    else await Deno.copyFile(source, target);
  }
}

async function spawn(
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<number> {
  const path = file === "deno" ? `${env.PATH!.split(":")[0]}/deno` : file;
  const child = new Deno.Command(path, { args, cwd, env, stdin: "null" }).spawn();
  return (await child.status).code;
}

function say(line: string): void {
  console.log(`\n${line}\n`);
}

function fail(reason: string): number {
  console.error(`\ndemo: ${reason}`);
  return 1;
}

if (import.meta.main) Deno.exit(await demo(Deno.args.includes("--keep")));
