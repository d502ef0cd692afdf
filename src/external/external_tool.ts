/** Makes a tool from a manifest. */
import { ToolFailure } from "../core/failure.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { InputShape, Tool, ToolOrigin } from "../core/tool.ts";
import { factsOf } from "../host/folders.ts";
import { isExecutable } from "../host/find_program.ts";
import { withPlainNumbers } from "../lib/exact_numbers.ts";
import type { SchemaCheck } from "../lib/json_schema.ts";
import { adaptSchema } from "./adapt_schema.ts";
import { callTool, type Program } from "./call_tool.ts";
import type { Manifest } from "./manifest.ts";
import { type Executable, leadsOutside } from "./confinement.ts";

export interface ToolLocation extends Executable {
  readonly origin: ToolOrigin & { readonly kind: "external" };
  readonly shell: () => Promise<string>;
}

/** The tool; its schema check is made by `compile` before the first call. */
export function externalTool(
  manifest: Manifest,
  location: ToolLocation,
  compile: () => Promise<SchemaCheck>,
): Tool<JsonObject> {
  const program: Program = {
    name: manifest.name,
    executable: location.executable,
    args: manifest.command.slice(1),
    manifest: location.origin.manifest,
    timeoutSeconds: manifest.timeoutSeconds,
    shell: location.shell,
  };
  return {
    name: manifest.name,
    description: manifest.description,
    capabilities: manifest.capabilities,
    input: shapeOf(manifest.inputSchema, compile),
    parallel: false,
    origin: location.origin,
    grantKey: () => `tool:${manifest.name}`,
    run(input, context) {
      checkExecutable(manifest, location);
      return callTool(program, input, context);
    },
  };
}

function shapeOf(schema: JsonObject, compile: () => Promise<SchemaCheck>): InputShape<JsonObject> {
  let adapted: JsonObject | undefined;
  let check: SchemaCheck | undefined;
  return {
    get jsonSchema() {
      return adapted ??= adaptSchema(schema);
    },
    async parse(raw) {
      if (!isJsonObject(raw)) return { problems: ["arguments: expected object"] };
      check ??= await usable(compile);
      const problems = check(withPlainNumbers(raw));
      return problems.length > 0 ? { problems } : { input: raw };
    },
  };
}

/** A schema whose faults were hidden from the look at its text refuses every call, and says why. */
async function usable(compile: () => Promise<SchemaCheck>): Promise<SchemaCheck> {
  try {
    return await compile();
  } catch (error) {
    if (!(error instanceof Error && error.name === "SchemaError")) throw error;
    return () => [`input_schema: ${error.message}`];
  }
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
