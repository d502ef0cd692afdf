/** Owns the port to the person at the keyboard; absent where nobody can be asked. */
import type { AskPermission } from "./permission.ts";

export interface TrustQuestion {
  readonly workspace: string;
  /** What the folder holds of its own, as paths relative to it. */
  readonly parts: readonly string[];
  /** What changed since trust was given; empty the first time. */
  readonly changes: readonly string[];
}

export interface Person {
  readonly askPermission: AskPermission;
  /** True for yes; anything but a clear yes is no. */
  askTrust(question: TrustQuestion, signal: AbortSignal): Promise<boolean>;
}
