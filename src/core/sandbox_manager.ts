/** What a front end may do with the sandbox of a conversation. */
import type { SandboxMode } from "./sandbox.ts";

export interface SandboxState {
  readonly mode: SandboxMode;
  /** Name and text of each line; none where there is no sandbox. */
  readonly lines: readonly (readonly [string, string])[];
}

export interface SandboxManager {
  state(): SandboxState;
  /** Goes on in another mode, and reads everything again. Throws `RunFailure`; then all is as it was. */
  choose(mode: SandboxMode): Promise<void>;
}
