/** Runs something with a private folder, which is removed afterwards. */
export async function withTempFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-" }));
  try {
    return await use(folder);
  } finally {
    // What cannot be removed is the system's to clear away.
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}
