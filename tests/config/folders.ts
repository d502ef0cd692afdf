/** The places that tests of the configuration run in: a home and a workspace of their own. */
import { join } from "node:path";
import type { Environment } from "../../src/core/host.ts";

export interface Folders {
  root: string;
  /** nimlet's own folder. */
  home: string;
  workspace: string;
}

export async function withFolders<T>(use: (folders: Folders) => Promise<T>): Promise<T> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-config-" }));
  const folders = { root, home: join(root, "home"), workspace: join(root, "W") };
  try {
    await Deno.mkdir(folders.home);
    await Deno.mkdir(folders.workspace);
    return await use(folders);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** An environment of these variables alone. */
export function environment(variables: Record<string, string>): Environment {
  return {
    get: (name) => Object.hasOwn(variables, name) ? variables[name] : undefined,
    all: () => ({ ...variables }),
    home: variables.HOME,
    cwd: "/start",
  };
}
