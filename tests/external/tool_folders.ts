/** Temporary folders of tools for these tests. */
import { join } from "node:path";
import type { Json } from "../../src/core/json.ts";
import type { Tool } from "../../src/core/tool.ts";
import {
  type Discovered,
  type DiscoverOptions,
  discoverTools,
} from "../../src/external/discover.ts";

export const fixtures = new URL("../../fixtures/tools", import.meta.url).pathname;

export const valid = {
  name: "sample",
  description: "A sample.",
  command: ["run"],
  input_schema: { type: "object" },
};

/** Writes `<root>/<folder>/tool.json` and an executable `run`; returns the folder. */
export async function addTool(
  root: string,
  folder: string,
  manifest: Json | string,
  script = "#!/bin/sh\ncat\n",
): Promise<string> {
  const path = join(root, folder);
  await Deno.mkdir(path, { recursive: true });
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  await Deno.writeTextFile(join(path, "tool.json"), text);
  await Deno.writeTextFile(join(path, "run"), script);
  await Deno.chmod(join(path, "run"), 0o755);
  return path;
}

export const builtInNames = [
  "ask_user",
  "bash",
  "edit",
  "git",
  "glob",
  "grep",
  "read",
  "read_skill",
  "write",
];

export function discover(
  workspace: string,
  roots: DiscoverOptions["roots"] = [{
    path: join(workspace, ".nimlet/tools"),
    scope: "project",
  }],
): Promise<Discovered> {
  return discoverTools({
    roots,
    workspace,
    builtInNames,
    shell: () => "/bin/sh",
  });
}

/** The one tool of that name. */
export function named(found: Discovered, name: string): Tool {
  const tool = found.tools.find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}: ${found.warnings.join("\n")}`);
  return tool;
}
