/** The bundle that the binary embeds: an entry chunk that stays small, the rest loaded on use. */
import * as esbuild from "esbuild";
import { gzipSync } from "node:zlib";
import { compileAhead } from "./bundle_ahead.ts";
import { typesOnlyPackages } from "./layer_rules.ts";
import { oneProgram, onlyEnglish } from "./bundle_plugins.ts";

/**
 * Bundles the program at `root` (a folder path with a final slash) into `outdir`: `main.js`, its
 * chunks, and beside them the workers and WebAssembly files that are loaded by URL.
 */
export async function bundle(root: string, outdir: string): Promise<void> {
  const packages = await installPackages(root);
  const shared: esbuild.BuildOptions = {
    absWorkingDir: root,
    outdir,
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
  };
  try {
    await esbuild.build({
      ...shared,
      entryPoints: entryPoints(root),
      splitting: true,
      plugins: [oneProgram(root), onlyEnglish],
    });
    await esbuild.build({ ...shared, entryPoints: smallWorkers(root) });
    await refuseLateRequires(outdir);
    await compileAhead(outdir);
    for (const [name, path] of Object.entries(assets)) {
      const bytes = await Deno.readFile(`${packages}/node_modules/${path}`);
      await Deno.writeFile(`${outdir}/${name}`, gzipSync(bytes, { level: 9 }));
    }
  } finally {
    await esbuild.stop();
    await Deno.remove(packages, { recursive: true });
  }
}

/** A package in Node's older form would fail when it is used, and only in the binary. */
async function refuseLateRequires(outdir: string): Promise<void> {
  for await (const { name } of Deno.readDir(outdir)) {
    if (!(await Deno.readTextFile(`${outdir}/${name}`)).includes("Dynamic require of")) continue;
    throw new Error(`${name} holds a package that calls require: bundle its module form instead`);
  }
}

/** Workers in one file each: what they shared with the program would be a chunk more to load for both. */
function smallWorkers(root: string): Record<string, string> {
  return { watchdog_worker: `${root}src/host/watchdog/worker.ts` };
}

/** The program and each worker; a worker is found beside the entry chunk under its own name. */
function entryPoints(root: string): Record<string, string> {
  return { main: `${root}main.ts`, search_worker: `${root}src/search/scan/worker.ts` };
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

/** A folder with the locked packages as node_modules, which is what the bundler can read. */
async function installPackages(root: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-packages-" });
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
  if (code !== 0) throw new Error("the packages could not be installed: see the lines above");
  return folder;
}
