/** What every moment of a run belongs to, and what every answer to one can hold. */
import type { Mode } from "./capability.ts";

/** What every moment belongs to. */
export interface Moment {
  readonly sessionId: string;
  /** The session's file; absent where it is not kept. */
  readonly transcript?: string;
  readonly mode: Mode;
  /** What becomes of a question: asked, allowed unasked, or denied. */
  readonly questions: "asked" | "allowed" | "denied";
  readonly model: string;
  readonly runId?: string;
  readonly turnId?: string;
}

export type Answer<Kind> = Promise<Kind | undefined> | undefined;

/** What every answer can hold. */
export interface Noted {
  /** The event's name, as the participant knows it. */
  readonly event: string;
  /** True where it failed, whatever that means for the moment. */
  readonly failed?: boolean;
}
