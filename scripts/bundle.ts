/** The bundle that the binary embeds: the program as one script, what starts it, the search worker. */
import * as esbuild from "esbuild";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { onlyEnglish, startsScript } from "./bundle_plugins.ts";
import { type Chunk, joinChunks } from "./bundle_script.ts";
import { withBuildFolder } from "./packaging/build_folder.ts";
import { typesOnlyPackages } from "./layer_rules.ts";
import { type BundledPackage, bundledPackages } from "./packaging/bundled_packages.ts";
import { licensesText } from "./packaging/licenses.ts";

/**
 * Bundles the program at `root` (a folder path with a final slash) into `outdir`: the entry `main.js`;
 * `rehearsal.js`, an entry for `compiled_code.ts` alone; and the folder `program` with `script.js`, which
 * both run, the workers and WebAssembly files that are loaded by URL, and the notices of all of it. Gives
 * the packages that are in it.
 */
export async function bundle(root: string, outdir: string): Promise<BundledPackage[]> {
  return await withBuildFolder(root, (build) => bundleIn(build, root, outdir));
}

/** `build`: what the bundler reads and names, always at the same place, so that its names are the same. */
async function bundleIn(build: string, root: string, outdir: string): Promise<BundledPackage[]> {
  await installPackages(root, build);
  const packages = build, out = `${build}/out`;
  const options = {
    absWorkingDir: root,
    outdir: out,
    bundle: true,
    format: "esm",
    platform: "node",
    // Modules first: the older form of some packages loads its parts by names made at run time.
    mainFields: ["module", "main"],
    target: "esnext",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    // imported so that they are installed with the program: a bundle has their files as assets
    logOverride: { "ignored-bare-import": "silent" },
    nodePaths: [`${packages}/node_modules`],
    // its form for Node is no module, and asks for parts of Node by name at run time
    alias: { yaml: `${packages}/node_modules/yaml/browser/index.js` },
    write: false,
    metafile: true,
  } satisfies esbuild.BuildOptions;
  try {
    const program = await esbuild.build({
      ...options,
      entryPoints: { program: `${root}src/cli/program.ts` },
      splitting: true,
      // as `joinChunks` reads chunks; it makes the names short, too
      minify: false,
      minifySyntax: true,
      plugins: [onlyEnglish],
    });
    const started = await esbuild.build({
      ...options,
      entryPoints: {
        "main": `${root}main.ts`,
        "rehearsal": `${root}scripts/binary/rehearsal.ts`,
        "program/schema_worker": `${root}src/schemas/schema_worker.ts`,
        "program/search_worker": `${root}src/search/scan/worker.ts`,
        "program/watchdog_worker": `${root}src/host/watchdog/worker.ts`,
      },
      plugins: [startsScript(root)],
    });
    const script = await joinChunks(program.outputFiles.map(chunkOf), "./program.js");
    const folder = `${outdir}/program`;
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/script.js`, script);
    for (const file of started.outputFiles) {
      await Deno.writeTextFile(`${outdir}${file.path.slice(out.length)}`, chunkOf(file).text);
    }
    for (const [name, path] of Object.entries(assets)) {
      const bytes = await Deno.readFile(`${packages}/node_modules/${path}`);
      await Deno.writeFile(`${folder}/${name}`, gzipSync(bytes, { level: 9 }));
    }
    const held = await bundledPackages(
      [program.metafile, started.metafile],
      Object.values(assets),
      `${packages}/node_modules`,
      JSON.parse(await Deno.readTextFile(`${root}deno.lock`)),
    );
    const notices = gzipSync(await licensesText(held), { level: 9 });
    await Deno.writeFile(`${folder}/licenses.txt.gz`, notices);
    return held;
  } finally {
    await esbuild.stop();
  }
}

function chunkOf({ path, text }: esbuild.OutputFile): Chunk {
  const name = `./${basename(path)}`;
  // A package in Node's older form would fail when it is used, and only in the binary.
  if (text.includes("Dynamic require of")) {
    throw new Error(`${name} holds a package that calls require: bundle its module form instead`);
  }
  return { name, text };
}

/**
 * Files read by path at run time: their name in the bundle, and where the package has them.
 * Compressed, because the runtime reads all that is embedded at every start.
 */
const assets: Record<string, string> = {
  "libpcre2.wasm.gz": "@stephen-riley/pcre2-wasm/dist/libpcre2.wasm",
  "web-tree-sitter.wasm.gz": "web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-bash.wasm.gz": "tree-sitter-bash/tree-sitter-bash.wasm",
};

/** Large packages that nothing of them is bundled of: those for types, and those for tests. */
const unbundledPackages = [...typesOnlyPackages, "@copilotkit/aimock"];

/** The locked packages as node_modules of `folder`, which is what the bundler can read. */
async function installPackages(root: string, folder: string): Promise<void> {
  const config = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
  const imports = Object.fromEntries(
    Object.entries(config.imports).filter(([name]) => !unbundledPackages.includes(name)),
  );
  await Deno.writeTextFile(
    `${folder}/deno.json`,
    JSON.stringify({ imports, nodeModulesDir: "auto" }),
  );
  await Deno.copyFile(`${root}deno.lock`, `${folder}/deno.lock`);
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet"],
    cwd: folder,
    stdout: "null",
    stderr: "inherit",
  }).spawn().status;
  if (code !== 0) {
    throw new Error(
      "the packages could not be installed, which needs a network once: see the lines above",
    );
  }
}
