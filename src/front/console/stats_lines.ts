/** How a session's figures look to a person. */
import type { SessionStats } from "../../core/session_manager.ts";

export function statsLines(
  { messages, toolCalls, usage, contextTokens, contextWindow }: SessionStats,
) {
  const lines = [`Messages: ${messages}, tool calls: ${toolCalls}`];
  const share = contextWindow === 0
    ? "the model's size is unknown"
    : `${Math.round(contextTokens / contextWindow * 100)} % of ${grouped(contextWindow)}`;
  lines.push(`Context: about ${grouped(contextTokens)} tokens, ${share}`);
  lines.push(
    `Tokens in: ${known(usage.input_tokens)} (cached ${known(usage.cache_read_tokens)}), out: ${
      known(usage.output_tokens)
    } (thinking ${known(usage.reasoning_tokens)})`,
  );
  lines.push(
    `Cost: ${usage.cost_usd === undefined ? "unknown" : `$${usage.cost_usd.toFixed(4)}`}`,
  );
  return lines;
}

function known(tokens: number | undefined): string {
  return tokens === undefined ? "unknown" : grouped(tokens);
}

/** `12 345`: thousands stand apart. */
export function grouped(tokens: number): string {
  return String(tokens).replace(/\B(?=(?:\d{3})+$)/g, " ");
}
