/** The line after a turn: time, tokens, cost, and how much of the context is left. */
import type { AgentEvent } from "../../core/event.ts";
import type { Usage } from "../../core/usage.ts";
import { duration } from "./duration.ts";
import { grouped } from "./stats_lines.ts";

/** `lastRequest` is what the turn's last request counted; `contextWindow` is 0 where it is unknown. */
export function turnSummary(
  { duration_ms, usage }: Extract<AgentEvent, { type: "run_end" }>,
  lastRequest: Usage,
  contextWindow: number,
): string {
  const parts = duration_ms === undefined ? [] : [duration(duration_ms)];
  const { input_tokens, output_tokens, cache_read_tokens, cost_usd } = usage;
  if (input_tokens !== undefined || output_tokens !== undefined) {
    const cached = cache_read_tokens ? ` (${grouped(cache_read_tokens)} cached)` : "";
    parts.push(`${known(input_tokens)} tokens in${cached}, ${known(output_tokens)} out`);
  }
  if (cost_usd !== undefined) parts.push(dollars(cost_usd));
  const held = (lastRequest.input_tokens ?? 0) + (lastRequest.output_tokens ?? 0);
  if (contextWindow > 0 && held > 0) {
    const left = Math.max(0, 1 - held / contextWindow);
    parts.push(`${Math.floor(left * 100)} % of the context left`);
  }
  // a turn that failed at once has nothing to sum up
  return parts.length === 1 && duration_ms !== undefined && duration_ms < 1000
    ? ""
    : parts.join(" · ");
}

function known(tokens: number | undefined): string {
  return tokens === undefined ? "?" : grouped(tokens);
}

/** Cents are seen, and what is less than one, too. */
function dollars(cost: number): string {
  if (cost === 0) return "$0";
  return cost < 0.0001 ? "under $0.0001" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}
