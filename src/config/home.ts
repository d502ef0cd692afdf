/** Where nimlet's own folder is, and where its files are in it. */
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../core/host.ts";

/** `NIMLET_HOME`, else `~/.nimlet`; undefined where neither can be known. Always absolute. */
export function nimletHome(env: Environment): string | undefined {
  const chosen = env.get("NIMLET_HOME");
  if (chosen !== undefined && chosen.trim() !== "") return resolvePath(chosen, env.cwd, env);
  return env.home === undefined ? undefined : join(env.home, ".nimlet");
}

/** The user's settings, in nimlet's own folder. */
export function userConfigPath(home: string): string {
  return join(home, "config.json");
}

/** The user's keys. */
export function authPath(home: string): string {
  return join(home, "auth.json");
}

/** The table of models that `--refresh-models` writes. */
export function modelTablePath(home: string): string {
  return join(home, "models-dev.json");
}

/** `path` made absolute: `~/` is the user's home folder, anything relative lies in `folder`. */
export function resolvePath(path: string, folder: string, env: Environment): string {
  if (env.home !== undefined && (path === "~" || path.startsWith("~/"))) {
    return join(env.home, path.slice(2));
  }
  return isAbsolute(path) ? resolve(path) : resolve(folder, path);
}
