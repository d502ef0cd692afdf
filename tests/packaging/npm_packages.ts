/** The npm packages with a stand-in for the program, installed as npm lays them out. */
import { layOutPackages } from "../../scripts/packaging/npm/lay_out.ts";
import { platforms } from "../../scripts/packaging/platforms.ts";

const decoder = new TextDecoder();

/** The platform that the tests run on. */
export const ownPlatform = platforms.find(({ target }) => target === Deno.build.target);

export interface Installed {
  /** The scratch folder, without links in its path. */
  readonly folder: string;
  /** The folder of the package `nimlet`. */
  readonly main: string;
  /** The folder of the package with the program. */
  readonly platform: string;
  readonly command: string;
  /** Runs a script of the package with Node. */
  node(
    script: string,
    ...args: string[]
  ): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** `program`: the text of a script in the program's place. */
export async function withPackages(
  program: string,
  use: (installed: Installed) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet npm " }));
  try {
    const binary = `${folder}/program`;
    await Deno.writeTextFile(binary, program, { mode: 0o755 });
    const [, name] = await layOutPackages(`${folder}/node_modules`, {
      version: "9.9.9",
      binaries: new Map([[ownPlatform!, binary]]),
      shared: new Map([["LICENSE", "MIT\n"]]),
      own: new Map([["share/man/man1/nimlet.1", ".TH NIMLET 1\n"]]),
    });
    const main = `${folder}/node_modules/nimlet`;
    await use({
      folder,
      main,
      platform: `${folder}/node_modules/${name}`,
      command: `${main}/bin/nimlet`,
      async node(script, ...args) {
        const { code, stdout, stderr } = await new Deno.Command("node", {
          args: [`${main}/${script}`, ...args],
          stdin: "null",
        }).output();
        return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
