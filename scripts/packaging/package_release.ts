/** What is made of a release's binaries for people to install. */
import { fileURLToPath } from "node:url";
import { installerText } from "./installer.ts";
import { layOutPackages } from "./npm/lay_out.ts";
import type { Platform } from "./platforms.ts";
import { manPath, sharedFiles } from "./shared_files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Fills `folder`, which holds the binaries, and gives the paths made, relative to it. `notices` are those
 * that the binaries print; the ones that are printed from source without them.
 */
export async function packageRelease(
  folder: string,
  version: string,
  binaries: ReadonlyMap<Platform, string>,
  notices?: string,
): Promise<string[]> {
  const shared = new Map([
    ["LICENSE", await Deno.readTextFile(`${root}LICENSE`)],
    ["LICENSES", notices ?? await Deno.readTextFile(`${root}scripts/packaging/LICENSES`)],
  ]);
  const own = sharedFiles(version, await Deno.readTextFile(`${root}CHANGELOG.md`));
  const packages = await layOutPackages(`${folder}/npm`, {
    version,
    binaries,
    shared,
    own,
  });
  await Deno.writeTextFile(`${folder}/get.sh`, await installerText(version), { mode: 0o755 });
  await Deno.writeTextFile(`${folder}/nimlet.1`, own.get(manPath)!);
  return ["get.sh", "nimlet.1", ...packages.map((name) => `npm/${name}`)];
}
