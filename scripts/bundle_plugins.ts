/** How the bundle differs from the source: what is started otherwise, what is left out. */
import type * as esbuild from "esbuild";

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
