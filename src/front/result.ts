/** Result mode: one JSON object on stdout when the run is over, on every path. */
import type { AgentEvent, EventIds, Sink } from "../core/event.ts";
import type { Clock, Terminal } from "../core/host.ts";
import { bareResult, type RunResult } from "../core/run_result.ts";
import { addUsage } from "../core/usage.ts";
import { toLinePieces } from "../lib/jsonl.ts";
import { visible } from "../lib/visible.ts";
import type { RecordStream } from "./json.ts";

/** Warnings and failures go to stderr as they come. */
export function resultStream(
  terminal: Pick<Terminal, "writeOut" | "writeErr">,
  clock: Pick<Clock, "monotonic">,
): RecordStream {
  const startMs = clock.monotonic();
  const elapsed = () => Math.round(clock.monotonic() - startMs);
  const files = new Set<string>();
  let known: Partial<RunResult> = {};
  let written = false;
  let told: string | undefined;

  async function write(end: Pick<RunResult, "status" | "exit_code" | "error">): Promise<void> {
    if (written) return;
    written = true;
    const result: RunResult = { ...bareResult(end), duration_ms: elapsed(), ...known, ...end };
    await terminal.writeOut(toLinePieces(result));
  }

  function note(event: AgentEvent, { session_id }: EventIds): void {
    switch (event.type) {
      case "session_start": {
        const { provider = null, model = null } = event;
        known = { ...known, provider, model, session_id: session_id ?? null };
        break;
      }
      case "run_start":
        told = undefined;
        break;
      case "error":
        told = event.message;
        break;
      case "step_start":
        known = { ...known, steps: event.step };
        break;
      case "tool_result":
        for (const file of event.files_changed ?? []) files.add(file);
        known = { ...known, files_changed: [...files].sort() };
        break;
      case "step_end": {
        const usage = addUsage(known.usage ?? {}, event.usage);
        known = { ...known, usage, cost_usd: usage.cost_usd ?? null };
        break;
      }
      case "run_end": {
        const { type: _, ...end } = event;
        const { answer = null, error = null, cost_usd = null } = end;
        const { provider = null, model = null, duration_ms = elapsed() } = end;
        known = { ...known, ...end, answer, error, cost_usd, provider, model, duration_ms };
        break;
      }
    }
  }

  const sink: Sink = async (event, ids) => {
    note(event, ids);
    if (event.type === "error" || event.type === "diagnostic" && event.level !== "info") {
      await terminal.writeErr(`nimlet: ${visible(event.message)}\n`);
    }
    if (event.type === "session_end") {
      const { status, exit_code } = event;
      await write({ status, exit_code, error: known.error ?? null });
    }
  };
  return {
    sink,
    close: ({ status, code, message, exitCode }) =>
      write({ status, exit_code: exitCode, error: { code, message: message.toWellFormed() } }),
    hasTold: (message) => told === message,
  };
}
