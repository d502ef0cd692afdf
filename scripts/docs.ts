/**
 * The writing of the generated parts of the docs.
 *
 *     deno task docs [--check]
 *
 * Fills what stands between `<!-- generated:NAME -->` and `<!-- /generated -->` in README.md and
 * docs/*.md, and writes docs/schemas/*.json. With `--check` it writes nothing and fails, naming the
 * files, where they differ from what the program says.
 */
import { fileURLToPath } from "node:url";
import { renderSchemas } from "./docs_schemas.ts";
import { renderParts } from "./docs_tables.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

async function docs(check: boolean): Promise<number> {
  const wanted = await wantedFiles();
  let stale = 0;
  for (const [path, text] of wanted) {
    if (await readOrNothing(path) === text) continue;
    stale++;
    const name = path.slice(root.length);
    if (check) console.error(`${name}: differs from the program; run deno task docs`);
    else {
      await Deno.writeTextFile(path, text);
      console.log(`wrote ${name}`);
    }
  }
  if (stale === 0) console.log("docs: in order");
  return check && stale > 0 ? 1 : 0;
}

/** Every file with generated parts, as it should be. */
async function wantedFiles(): Promise<Map<string, string>> {
  const parts = await renderParts(root);
  const wanted = new Map<string, string>();
  for (const path of await pages()) {
    const text = await Deno.readTextFile(path);
    const filled = await fill(path, text, parts);
    if (filled !== undefined) wanted.set(path, filled);
  }
  for (const [name, schema] of Object.entries(renderSchemas())) {
    wanted.set(`${root}docs/schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
  }
  return wanted;
}

async function pages(): Promise<string[]> {
  const found = [`${root}README.md`];
  for await (const entry of Deno.readDir(`${root}docs`)) {
    if (entry.name.endsWith(".md")) found.push(`${root}docs/${entry.name}`);
  }
  const present = await Promise.all(
    found.map(async (path) => await readOrNothing(path) !== undefined),
  );
  return found.filter((_, index) => present[index]);
}

/** `text` with its parts filled and formatted; undefined where it has none. */
async function fill(
  path: string,
  text: string,
  parts: Record<string, string>,
): Promise<string | undefined> {
  const marker = /<!-- generated:([\w-]+) -->[\s\S]*?<!-- \/generated -->/g;
  if (text.match(marker) === null) return undefined;
  const filled = text.replace(marker, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) {
      throw new Error(
        `${path.slice(root.length)}: no generated part is called ${name}; there are ${
          Object.keys(parts).join(", ")
        }`,
      );
    }
    return `<!-- generated:${name} -->\n\n${part}\n\n<!-- /generated -->`;
  });
  return await format(filled);
}

/** As `deno fmt` leaves it, so that the two never disagree. */
async function format(text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--ext", "md", "-"],
    cwd: root,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error("deno fmt refused the filled page: see the lines above");
  return new TextDecoder().decode(stdout);
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

if (import.meta.main) Deno.exit(await docs(Deno.args.includes("--check")));
