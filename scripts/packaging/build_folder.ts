/** The folder that the bundler works in: its place is part of what it makes, so it is always the same. */

/**
 * Gives `use` the empty folder `dist/build` of the project at `root`, which ends in a slash. Builds of one
 * clone wait for each other; the lock of one that was killed is gone with it.
 */
export async function withBuildFolder<T>(
  root: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = `${root}dist/build`;
  await Deno.mkdir(`${root}dist`, { recursive: true });
  using lock = await Deno.open(`${root}dist/build.lock`, { create: true, write: true });
  await lock.lock(true);
  try {
    await removeFolder(folder); // of a build that was killed
    await Deno.mkdir(folder);
    return await use(folder);
  } finally {
    await removeFolder(folder);
    await lock.unlock();
  }
}

async function removeFolder(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The time that every embedded file has: a binary holds the times of its files. */
const fixedTime = new Date("2000-01-01T00:00:00Z");

/** Gives all files below `folder` one time. */
export async function fixTimes(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await fixTimes(path);
    await Deno.utime(path, fixedTime, fixedTime);
  }
}
