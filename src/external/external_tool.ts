/** Makes a tool from a manifest. */
import { ToolFailure } from "../core/failure.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { InputShape, Tool, ToolOrigin } from "../core/tool.ts";
import { factsOf } from "../host/folders.ts";
import { isExecutable } from "../host/find_program.ts";
import { withPlainNumbers } from "../lib/exact_numbers.ts";
import { adaptSchema } from "./adapt_schema.ts";
import type { BoundedCheck } from "./bounded_check.ts";
import { callTool, type Program } from "./call_tool.ts";
import type { Manifest } from "./manifest.ts";
import { type Executable, leadsOutside } from "./confinement.ts";

export interface ToolLocation extends Executable {
  readonly origin: ToolOrigin & { readonly kind: "external" };
  readonly shell: () => Promise<string>;
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
  };
  return {
    name: manifest.name,
    description: manifest.description,
    capabilities: manifest.capabilities,
    input: shapeOf(manifest.inputSchema, checked),
    parallel: false,
    origin: location.origin,
    grantKey: () => `tool:${manifest.name}`,
    run(input, context) {
      checkExecutable(manifest, location);
      return callTool(program, input, context);
    },
  };
}

function shapeOf(schema: JsonObject, checked: BoundedCheck): InputShape<JsonObject> {
  let adapted: JsonObject | undefined;
  return {
    get jsonSchema() {
      return adapted ??= adaptSchema(schema);
    },
    async parse(raw, signal) {
      if (!isJsonObject(raw)) return { problems: ["arguments: expected object"] };
      const verdict = await checked.check(withPlainNumbers(raw), signal);
      // faults that were hidden from the look at the schema's text refuse every call, and say why
      if ("fault" in verdict) return { problems: [`input_schema: ${verdict.fault}`] };
      return verdict.problems.length > 0 ? verdict : { input: raw };
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
