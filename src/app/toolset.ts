/** The tools in effect: built-in and external, less what --tools leaves out. */
import { join } from "node:path";
import { RunFailure } from "../core/failure.ts";
import type { Person } from "../core/person.ts";
import type { Skill } from "../core/skill.ts";
import type { AnyTool } from "../core/tool.ts";
import { discoverTools } from "../external/discover.ts";
import { nearest } from "../lib/nearest.ts";
import { builtInTools } from "../tools/builtin.ts";
import type { RunEnvironment } from "./environment.ts";
import { sandboxWish } from "./sandbox.ts";

export interface Toolset {
  readonly tools: readonly AnyTool[];
  readonly warnings: readonly string[];
  readonly skipped: readonly { readonly manifest: string; readonly reason: string }[];
}

/** Throws `RunFailure("usage")` for a name in `only` that no tool has. */
export async function loadTools(
  environment: RunEnvironment,
  skills: () => readonly Skill[] | Promise<readonly Skill[]>,
  only: readonly string[] | undefined,
  person: Person | undefined,
): Promise<Toolset> {
  const { settings } = environment.config;
  const wish = sandboxWish(settings);
  const builtIns = builtInTools({
    shell: environment.shell,
    skills,
    ...wish &&
      {
        sandbox: {
          ...wish,
          canEscape: () =>
            person?.askPermission !== undefined && settings["sandbox.escape"] === "ask",
        },
      },
  });
  const { tools: external, warnings, skipped } = await discoverTools({
    roots: toolRoots(environment),
    workspace: environment.workspace,
    builtInNames: builtIns.map((tool) => tool.name),
    shell: async () => (await environment.shell()).path,
    outsideSandbox: settings["sandbox.outside"] ?? [],
  });
  if (external.length > 0) loadCheckerLater(environment);
  const all: AnyTool[] = [...builtIns, ...external];
  return { tools: only ? keepOnly(all, only) : all, warnings, skipped };
}

const checkerDelayMs = 40;

/** What checks the arguments of tools is loaded while the model is waited for, not before. */
function loadCheckerLater({ host }: RunEnvironment): void {
  host.clock.delay(checkerDelayMs).then(() => import("../lib/json_schema.ts")).catch(() => {
    // the first call tries again, and reports it
  });
}

function toolRoots({ nimletHome, workspace, trust }: RunEnvironment) {
  return [
    ...(nimletHome === undefined
      ? []
      : [{ path: join(nimletHome, "tools"), scope: "global" as const }]),
    ...(trust.trusted ? [".agent", ".nimlet"] : []).map((folder) => ({
      path: join(workspace, folder, "tools"),
      scope: "project" as const,
    })),
  ];
}

/** Throws `RunFailure("usage")` for a name that no tool has. */
export function keepOnly(all: readonly AnyTool[], only: readonly string[]): AnyTool[] {
  const known = all.map((tool) => tool.name);
  for (const name of only) {
    if (known.includes(name)) continue;
    const guess = nearest(name, known);
    throw new RunFailure(
      "usage",
      `--tools: there is no tool named ${JSON.stringify(name)}${
        guess ? ` (did you mean ${guess}?)` : ""
      }; the known names are ${known.join(", ")}`,
    );
  }
  return all.filter((tool) => only.includes(tool.name));
}
