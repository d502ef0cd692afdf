/** Temporary projects with a home folder beside them for these tests. */
import { dirname, join } from "node:path";
import { withWorkspace } from "../support/tool_context.ts";
import type { TrustPlace } from "../../src/permissions/trust.ts";

/** A workspace and a home of its own, both real paths, removed afterwards. */
export function withProject(use: (place: Required<TrustPlace>) => Promise<void>): Promise<void> {
  return withWorkspace(async (folder) => {
    const workspace = join(folder, "project"), home = join(folder, "home");
    await Deno.mkdir(workspace);
    await Deno.mkdir(home);
    await use({ workspace, home, nimletHome: join(home, ".nimlet") });
  });
}

/** Writes a file of the project; parent folders are made. */
export async function put(workspace: string, name: string, text: string, mode = 0o644) {
  const path = join(workspace, name);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
  await Deno.chmod(path, mode);
}

export async function putTool(workspace: string, folder: string, command = ["run"]) {
  const manifest = { name: "t", description: "A tool.", command, input_schema: {} };
  await put(workspace, `${folder}/tool.json`, JSON.stringify(manifest));
  await put(workspace, `${folder}/run`, "#!/bin/sh\ncat\n", 0o755);
}
