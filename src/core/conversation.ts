/** Owns the conversation as a front end holds it: state, prompts, settings that a person may change. */
import type { Mode } from "./capability.ts";
import type { RunStatus } from "./event.ts";
import type { RunFailureCode } from "./failure.ts";
import type { ThinkingLevel } from "./model.ts";
import type { AnyTool } from "./tool.ts";
import type { Usage } from "./usage.ts";

export interface RunOutcome {
  readonly status: RunStatus;
  /** The final answer; what was said so far where the run did not end well. */
  readonly text: string;
  readonly failure?: { readonly code: RunFailureCode; readonly message: string };
  readonly exitStatus: number;
  readonly usage: Usage;
}

export interface ConversationState {
  readonly sessionId: string;
  readonly workspace: string;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  readonly thinking?: ThinkingLevel;
  readonly approvesEverything: boolean;
  readonly busy: boolean;
}

/** What front ends hold. Every event of it goes through the sink that it was made with. */
export interface Conversation {
  state(): ConversationState;
  /** Works on one prompt to its end. Throws only `ClosedOutput`; every failure is an outcome. */
  prompt(text: string, signal: AbortSignal): Promise<RunOutcome>;
  /** The tools in effect, in the order the model sees them, those of the mode only. */
  tools(): readonly AnyTool[];
  setMode(mode: Mode): Promise<void>;
  /** Changes the model, and with a provider the provider; throws `RunFailure` where it cannot be. */
  setModel(model: string, provider?: string): Promise<void>;
  setApprovesEverything(on: boolean): void;
}
