/**
 * What the conformance suite of the Model Context Protocol starts as a client: the program itself, with the
 * suite's server in a fresh home folder. The server's address is the last argument.
 */
import { programCommand, programEnv } from "../support/program.ts";

const url = Deno.args.at(-1)!;
const home = await Deno.makeTempDir({ prefix: "nimlet-conformance-" });

/** Runs the program; gives its stdout. */
async function nimlet(...args: string[]): Promise<string> {
  const [file, ...first] = programCommand();
  const { code, stdout, stderr } = await new Deno.Command(file, {
    args: [...first, "--mode", "json", ...args],
    cwd: home,
    clearEnv: true,
    env: programEnv(home, { NIMLET_HOME: home }),
  }).output();
  const errors = new TextDecoder().decode(stderr);
  if (errors !== "") console.error(errors);
  if (code !== 0) Deno.exit(code);
  return new TextDecoder().decode(stdout);
}

try {
  const config = { mcp: { servers: { c: { url } } } };
  await Deno.writeTextFile(`${home}/config.json`, JSON.stringify(config));
  const { tools } = JSON.parse(await nimlet("--list-tools")) as { tools: { name: string }[] };
  for (const { name } of tools.filter(({ name }) => name.startsWith("mcp__c__"))) {
    const input = name.endsWith("__add_numbers") ? { a: 5, b: 3 } : {};
    console.log(await nimlet("--call-tool", name, JSON.stringify(input)));
  }
} finally {
  await Deno.remove(home, { recursive: true });
}
