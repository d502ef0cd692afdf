/** The ids of sessions: sortable by time, lower case, safe as file names. */

/** `<date>-<time with milliseconds, UTC>-<random>`, as `20260131-235959999-k3f9x2ab`. */
export function newSessionId(nowMs: number, random: (length: number) => string): string {
  return `${compactTime(nowMs)}-${random(8)}`;
}

/** True for text that can be an id or the start of one, whatever its case. */
export function looksLikeId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,99}$/i.test(text);
}

/** UTC to the millisecond in digits, as `20260131-235959999`. */
export function compactTime(nowMs: number): string {
  const digits = new Date(nowMs).toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
