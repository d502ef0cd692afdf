/** What an earlier release left in the folder, which must not pass for a part of this one. */

/** Removes from `folder` the binaries that are not of `names`, and npm packages of another version. */
export async function removeEarlier(
  folder: string,
  version: string,
  names: readonly string[],
): Promise<void> {
  for (const name of namesIn(folder)) {
    if (name.startsWith("nimlet-") && !names.includes(name)) await Deno.remove(`${folder}/${name}`);
  }
  for (const name of namesIn(`${folder}/npm`)) {
    const path = `${folder}/npm/${name}`;
    if (await versionOf(path) !== version) await Deno.remove(path, { recursive: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Of a package's folder; what else lies there, as a packed one, has none. */
async function versionOf(path: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(`${path}/package.json`)).version;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}
