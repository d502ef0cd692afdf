/** What is told of a hook or extension that took part. */

/** What one participant did, for the events. */
export interface HookRun {
  readonly name: string;
  readonly event: string;
  readonly ms: number;
  readonly outcome: HookOutcome;
}

export const hookOutcomes = [
  "passed",
  "allowed",
  "asked",
  "changed",
  "denied",
  "failed",
] as const;
export type HookOutcome = typeof hookOutcomes[number];
