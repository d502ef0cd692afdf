/** Reads how long a server asks to wait. */

/** Longer wishes count as this; whoever repeats requests decides what is too long for him. */
export const maxWaitMs = 3_600_000;

/** Milliseconds asked for by `retry-after-ms` or `retry-after` (seconds or a date), capped. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = amount(headers.get("retry-after-ms"));
  if (exact !== undefined) return capped(exact);
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const seconds = amount(value);
  if (seconds !== undefined) return capped(seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : capped(date - now);
}

function amount(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function capped(waitMs: number): number {
  return Math.min(maxWaitMs, Math.max(0, Math.ceil(waitMs)));
}
