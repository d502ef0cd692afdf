/** Owns the bundle that the binary embeds: an entry chunk that stays small, the rest loaded on use. */
import * as esbuild from "esbuild";

/**
 * Bundles the program at `root` (a folder path with a final slash) into `outdir`: `main.js`, its
 * chunks, and beside them the workers and WebAssembly files that are loaded by URL.
 */
export async function bundle(root: string, outdir: string): Promise<void> {
  const packages = await installPackages(root);
  try {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: entryPoints(root),
      outdir,
      bundle: true,
      splitting: true,
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
      plugins: [onlyEnglish],
    });
    for (const [name, path] of Object.entries(assets)) {
      await Deno.copyFile(`${packages}/node_modules/${path}`, `${outdir}/${name}`);
    }
  } finally {
    await esbuild.stop();
    await Deno.remove(packages, { recursive: true });
  }
}

/** The program and each worker; a worker is found beside the entry chunk under its own name. */
function entryPoints(root: string): Record<string, string> {
  return { main: `${root}main.ts`, search_worker: `${root}src/search/worker.ts` };
}

/**
 * Files read by path at run time: their name in the bundle, and where the package has them. `deno
 * compile` would link a `.wasm` file as a module, so they are named otherwise.
 */
const assets: Record<string, string> = {
  "libpcre2.bin": "@stephen-riley/pcre2-wasm/dist/libpcre2.wasm",
  "web-tree-sitter.bin": "web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-bash.bin": "tree-sitter-bash/tree-sitter-bash.wasm",
};

/** A folder with the locked packages as node_modules, which is what the bundler can read. */
async function installPackages(root: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-packages-" });
  const config = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
  await Deno.writeTextFile(
    `${folder}/deno.json`,
    JSON.stringify({ imports: config.imports, nodeModulesDir: "auto" }),
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

/** The schema library brings its messages in fifty languages; one is shown. */
const onlyEnglish: esbuild.Plugin = {
  name: "only-english",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
    }));
  },
};
