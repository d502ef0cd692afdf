/** Makes a tool from a manifest. */
import { dirname } from "node:path";
import { ToolFailure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { Tool, ToolOrigin } from "../core/tool.ts";
import { factsOf } from "../host/folders.ts";
import { isExecutable } from "../host/find_program.ts";
import type { BoundedCheck } from "../schemas/bounded_check.ts";
import { toolInput } from "../schemas/tool_input.ts";
import { callTool, type Program } from "./call_tool.ts";
import type { Manifest } from "./manifest.ts";
import { type Executable, leadsOutside } from "../host/confinement.ts";

export interface ToolLocation extends Executable {
  readonly origin: ToolOrigin & { readonly kind: "external" };
  readonly shell: () => Promise<string>;
  readonly isOutside: boolean;
}

/** The tool; `checked` checks what it is called with. */
export function externalTool(
  manifest: Manifest,
  location: ToolLocation,
  checked: BoundedCheck,
): Tool<JsonObject> {
  const program: Program = {
    name: manifest.name,
    executable: location.executable,
    args: manifest.command.slice(1),
    manifest: location.origin.manifest,
    timeoutSeconds: manifest.timeoutSeconds,
    shell: location.shell,
    isOutside: location.isOutside,
    // what a project names is no reason to show more of the machine
    shown: location.origin.scope === "project"
      ? []
      : [location.origin.manifest, location.executable].map((path) => dirname(path)),
  };
  return {
    name: manifest.name,
    description: manifest.description,
    capabilities: manifest.capabilities,
    input: toolInput(manifest.inputSchema, checked),
    parallel: false,
    origin: location.origin,
    grantKey: () => `tool:${manifest.name}`,
    run(input, context) {
      checkExecutable(manifest, location);
      return callTool(program, input, context);
    },
  };
}

/** The disk may have changed since the manifest was read. */
function checkExecutable(manifest: Manifest, location: ToolLocation): void {
  const path = location.executable;
  const fail = (problem: string) =>
    new ToolFailure(
      "tool_failed",
      `tool_failed: ${manifest.name}: the executable ${path} ${problem}.`,
    );
  const facts = factsOf(path);
  if (facts.kind === "missing") {
    const onPath = manifest.command[0].includes("/") ? "" : missingHint;
    throw fail(`does not exist${onPath}`);
  }
  if (facts.kind === "unreadable") throw fail(facts.reason);
  if (facts.kind !== "file") throw fail(`is ${facts.what}, not a file`);
  if (location.confinedTo !== undefined && leadsOutside(path, location.confinedTo)) {
    throw fail("leads outside the workspace through a link");
  }
  if (!isExecutable(path)) throw fail(`is not executable; chmod +x makes it so`);
}

const missingHint = " (the first item of command is looked up in the tool's folder, not on PATH)";
