/** The ToolContext that tests of single tools run with: the real host, a temporary workspace. */
import { childEnvironment, keyVariables } from "../../src/core/child_environment.ts";
import type { Tool, ToolContext, ToolOutput } from "../../src/core/tool.ts";
import type { Json } from "../../src/core/json.ts";
import { coerce } from "../../src/core/coerce.ts";
import { ToolFailure } from "../../src/core/failure.ts";
import { realHost } from "../../src/host/real_host.ts";

/** A context for `workspace`; progress deltas are collected in `deltas`. */
export function toolContext(
  workspace: string,
  options: { signal?: AbortSignal; maxOutputBytes?: number; deltas?: string[] } = {},
): ToolContext {
  const host = realHost();
  return {
    workspace: Deno.realPathSync(workspace),
    host,
    signal: options.signal ?? new AbortController().signal,
    childEnv: childEnvironment(host.env.all(), keyVariables),
    progress: (delta) => options.deltas?.push(delta),
    limits: { maxOutputBytes: options.maxOutputBytes ?? 100_000 },
  };
}

/** Makes a temporary workspace, hands it over, and removes it. */
export async function withWorkspace<T>(use: (workspace: string) => Promise<T>): Promise<T> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-test-" }));
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs one call the way the dispatcher does: coerce, check, run; failures become their text. */
export async function callTool<Input>(
  tool: Tool<Input>,
  raw: Json,
  context: ToolContext,
): Promise<ToolOutput & { isError: boolean; code?: string }> {
  const parsed = await tool.input.parse(coerce(raw, tool.input.jsonSchema));
  if ("problems" in parsed) {
    return { text: `invalid_arguments: ${parsed.problems.join("; ")}`, isError: true };
  }
  try {
    return { ...await tool.run(parsed.input, context), isError: false };
  } catch (error) {
    if (error instanceof ToolFailure) {
      return { text: error.message, isError: true, code: error.code };
    }
    throw error;
  }
}
