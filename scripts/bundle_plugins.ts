/** How the bundle differs from the source: what is joined, what is started otherwise, what is left out. */
import type * as esbuild from "esbuild";
import { dirname, resolve, sep } from "node:path";

/** Packages that every run with a provider needs: loaded with the program. */
const usualPackages = ["eventsource-parser"];

/**
 * The program's own files as one chunk. In the source they load one another where they are used; in
 * the binary what a chunk gives to others costs more than having all of them at once. Files that need
 * a package stay apart.
 */
export function oneProgram(root: string): esbuild.Plugin {
  const own = resolve(root, "src") + sep;
  const needing = new Map<string, boolean>();
  const needsPackage = (path: string): boolean => {
    const known = needing.get(path);
    if (known !== undefined) return known;
    needing.set(path, false); // for files that import each other
    const needs = importsOf(Deno.readTextFileSync(path)).some((name) =>
      name.startsWith(".") ? needsPackage(resolve(dirname(path), name)) : isPackage(name)
    );
    needing.set(path, needs);
    return needs;
  };
  return {
    name: "one-program",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(own)) return undefined;
        const heads: string[] = [];
        const text = (await Deno.readTextFile(path)).replace(
          /\bimport\("(\.[^"]+\.ts)"\)/g,
          (whole, name: string) => {
            if (needsPackage(resolve(dirname(path), name))) return whole;
            const module = `own_${heads.length}`;
            heads.push(`import * as ${module} from ${JSON.stringify(name)};`);
            return `Promise.resolve(${module})`;
          },
        );
        return { contents: heads.join("") + text, loader: "ts" };
      });
    },
  };
}

/** What a file loads together with itself; types are no loading. */
function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s(?!type\b)(?:[^;"]*?\sfrom )?"([^"]+)"/gm);
  return [...statements].map(([, name]) => name!);
}

/** A package's own description is no more than a line of it. */
function isPackage(name: string): boolean {
  return !name.startsWith("node:") && !name.endsWith("/package.json") &&
    !usualPackages.includes(name);
}

/** In the binary `main.ts` runs the program from its one script. */
export function startsScript(root: string): esbuild.Plugin {
  return {
    name: "starts-script",
    setup(build) {
      build.onResolve(
        { filter: /\/src\/cli\/program\.ts$/ },
        ({ importer }) =>
          importer === `${root}main.ts` ? { path: `${root}scripts/binary/program.ts` } : undefined,
      );
    },
  };
}

/** The schema library brings its messages in fifty languages; one is shown. */
export const onlyEnglish: esbuild.Plugin = {
  name: "only-english",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
    }));
  },
};
