/**
 * The rules of the house that a program can check: which room may import which, who owns
 * packages and the machine, cycles, files nobody imports, size.
 *
 *     deno run -A scripts/check_layers.ts [<folder of the project>]
 *
 * Prints one line a fault, with what to do instead, and exits with 1 where there is any.
 */
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findFaults, type Import, type SourceFile } from "./layer_rules.ts";

/** Reads the files of the program and of the scripts, and what each imports. */
export async function readSources(root: string): Promise<SourceFile[]> {
  const paths = [
    "main.ts",
    ...await typescriptFiles(root, "src"),
    ...await typescriptFiles(root, "scripts"),
  ];
  const graph = await moduleGraph(root, paths);
  return await Promise.all(paths.map(async (path) => ({
    path,
    text: await Deno.readTextFile(join(root, path)),
    imports: graph.get(pathToFileURL(join(root, path)).href) ?? [],
  })));
}

async function typescriptFiles(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await typescriptFiles(root, path));
    else if (entry.name.endsWith(".ts")) found.push(path);
  }
  return found.sort();
}

/** Imports by the address of the importing file, as `deno info` sees them. */
async function moduleGraph(root: string, paths: string[]): Promise<Map<string, Import[]>> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-layers-" });
  try {
    // deno info takes one file, so one that imports them all is made
    const all = join(folder, "all.ts");
    const addresses = paths.map((path) => pathToFileURL(join(root, path)).href);
    await Deno.writeTextFile(all, addresses.map((href) => `import "${href}";\n`).join(""));
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", join(root, "deno.json"), all],
      env: { NO_COLOR: "1" },
    }).output();
    if (!success) throw new Error(`deno info failed: ${new TextDecoder().decode(stderr)}`);
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: Module[] };
    return new Map(modules.map((module) => [
      module.specifier,
      (module.dependencies ?? []).map((dependency) => importOf(root, dependency)),
    ]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly Dependency[];
}

interface Dependency {
  readonly specifier: string;
  readonly isDynamic?: boolean;
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

function importOf(root: string, dependency: Dependency): Import {
  const kind = dependency.code === undefined
    ? "type"
    : dependency.isDynamic === true
    ? "dynamic"
    : "value";
  const address = dependency.code?.specifier ?? dependency.type?.specifier ?? dependency.specifier;
  if (address.startsWith("file:")) {
    const path = relative(root, fileURLToPath(address)).replaceAll("\\", "/");
    return { target: path, kind };
  }
  if (address.startsWith("node:")) return { target: address, kind };
  const [, name] = /^(?:npm:\/?)?((?:@[^/@]+\/)?[^/@]+)/.exec(address) ?? [];
  return { target: name ?? address, kind };
}

if (import.meta.main) {
  const root = Deno.args[0] ?? fileURLToPath(new URL("..", import.meta.url));
  const faults = findFaults(await readSources(root));
  for (const fault of faults) console.error(fault);
  console.log(faults.length === 0 ? "layers: in order" : `layers: ${faults.length} faults`);
  Deno.exit(faults.length === 0 ? 0 : 1);
}
