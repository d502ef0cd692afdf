/** Calls one tool without a model: how a tool's author tries it. */
import { dispatch } from "../agent/dispatch.ts";
import type { Mode } from "../core/capability.ts";
import type { Json } from "../core/json.ts";
import { commandJudge } from "../permissions/judge.ts";
import { permissionGate } from "../permissions/gate.ts";
import { type Grants, sessionGrants } from "../permissions/grants.ts";
import type { RunEnvironment } from "./environment.ts";
import type { Toolset } from "./toolset.ts";

export interface OneCall {
  readonly name: string;
  readonly input: Json;
  readonly toolset: Toolset;
  readonly environment: RunEnvironment;
  readonly projectGrants: Grants | undefined;
  readonly approvesEverything: boolean;
  readonly mode: Mode;
  readonly signal: AbortSignal;
  showLive(delta: string): Promise<void>;
}

export interface OneResult {
  readonly tool_name: string;
  readonly output: string;
  readonly is_error: boolean;
  readonly duration_ms: number;
  /** What of the arguments was read another way than it was written. */
  readonly notes?: readonly string[];
  /** Media types of the images that came with it. */
  readonly images?: readonly string[];
}

/** Whoever typed the call has approved it, unless approval that nobody can give counts as denied. */
export async function callOneTool(call: OneCall): Promise<OneResult> {
  const { environment, toolset } = call;
  const permission = permissionGate({
    approvesEverything: () => call.approvesEverything,
    headless: environment.config.settings["permissions.headless"],
    session: sessionGrants(),
    project: call.projectGrants,
    personal: environment.personalGrants,
    judge: commandJudge(),
    bounds: environment,
    sandbox: environment.sandbox &&
      { outside: environment.config.settings["sandbox.outside"] ?? [] },
    trust: environment.trust.project,
  });
  const result = await dispatch(
    { type: "tool_use", id: "1", name: call.name, input: call.input },
    toolset.tools,
    { ...environment, mode: () => call.mode, permission },
    call.showLive,
    call.signal,
  );
  return {
    tool_name: call.name,
    output: result.text,
    is_error: result.isError,
    duration_ms: result.durationMs,
    ...(result.notes.length > 0 ? { notes: result.notes } : {}),
    ...(result.images ? { images: result.images.map((image) => image.mediaType) } : {}),
  };
}
