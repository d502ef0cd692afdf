/** The one object of result mode: what a run came to, with every field on every path. */
import type { RunStatus } from "./event.ts";
import type { Usage } from "./usage.ts";

export interface RunResult {
  readonly version: 1;
  readonly type: "result";
  /** The final answer, also one that a limit cut off. */
  readonly answer: string | null;
  readonly status: RunStatus;
  readonly exit_code: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly session_id: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly usage: Usage;
  readonly cost_usd: number | null;
  readonly duration_ms: number;
  readonly steps: number;
  readonly denials: number;
  readonly files_changed: readonly string[];
}

/** Of a run of which nothing is known but its end. */
export function bareResult(
  { status, exit_code, error }: Pick<RunResult, "status" | "exit_code" | "error">,
): RunResult {
  return {
    version: 1,
    type: "result",
    answer: null,
    status,
    exit_code,
    error,
    session_id: null,
    provider: null,
    model: null,
    usage: {},
    cost_usd: null,
    duration_ms: 0,
    steps: 0,
    denials: 0,
    files_changed: [],
  };
}
