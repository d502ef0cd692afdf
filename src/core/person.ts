/** The port to the person at the keyboard; absent where nobody can be asked. */
import type { AskPermission } from "./permission.ts";

export interface TrustQuestion {
  readonly workspace: string;
  /** What the folder holds of its own, as paths relative to it. */
  readonly parts: readonly string[];
  /** What changed since trust was given; empty the first time. */
  readonly changes: readonly string[];
}

export interface Person {
  /** Asked for anew before each question: undefined while nobody answers. */
  readonly askPermission: AskPermission | undefined;
  /** True for yes; anything but a clear yes is no. */
  readonly askTrust:
    | ((question: TrustQuestion, signal: AbortSignal) => Promise<boolean>)
    | undefined;
  /** Told how many characters of a call have come while the model writes it; absent where nobody looks. */
  readonly callArrives?: (chars: number) => void;
  /**
   * While a run waits for what it can do without: Ctrl-C calls `goOn` and ends nothing. Gives what takes
   * that back; absent where nobody can press it.
   */
  readonly whileWaiting?: (goOn: () => void) => () => void;
}
