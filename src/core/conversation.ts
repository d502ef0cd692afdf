/** The conversation as a front end holds it: state, prompts, settings that a person may change. */
import type { Mode } from "./capability.ts";
import type { RunStatus } from "./event.ts";
import type { ExtensionFacts } from "./extension_facts.ts";
import type { HookState } from "./hook_facts.ts";
import type { McpServerState } from "./mcp_server.ts";
import type { UserMessage } from "./message.ts";
import type { ThinkingLevel } from "./model.ts";
import type { AnyTool } from "./tool.ts";
import type { Usage } from "./usage.ts";

export interface RunOutcome {
  readonly status: RunStatus;
  /** The final answer; what was said so far where the run did not end well. */
  readonly text: string;
  /** `code` is a `RunFailureCode` or the kind of the model's failure. */
  readonly failure?: { readonly code: string; readonly message: string };
  readonly exitStatus: number;
  readonly usage: Usage;
  /** The answer ended at a limit: `text` is its beginning, and is shown all the same. */
  readonly cut?: true;
}

/** A prompt in two parts: templates, skills and mentions are looked for in the typed one alone. */
export interface PromptInput {
  /** What a person or program wrote; may be empty where there is piped text. */
  readonly text: string;
  /** Text of stdin, put before it as it is, with a blank line between. */
  readonly piped?: string;
  /** Files that go with it. */
  readonly attached?: AttachedParts;
  /** Who wrote it, where no person or client did: `extension:x`. It is sent as it is. */
  readonly origin?: string;
  /**
   * Called once, before the first event: with why the prompt is not sent, which is then no run, or with
   * nothing.
   */
  readonly onAdmitted?: (problem?: string) => Promise<void>;
}

export interface AttachedParts {
  readonly parts: UserMessage["content"];
  /** What the model cannot see of them, one sentence each. */
  readonly notices: readonly string[];
}

/** A file that goes with a prompt: where it lies, or its content, as text or in base64. */
export type AttachmentSource =
  | { readonly path: string }
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly data: string };

export interface ConversationState {
  readonly sessionId: string;
  readonly workspace: string;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  /** Tokens that the model can take; 0 where unknown. */
  readonly contextWindow: number;
  readonly thinking?: ThinkingLevel;
  readonly approvesEverything: boolean;
  readonly busy: boolean;
  readonly name?: string;
  /** Of the whole session, as far as it was reported. */
  readonly usage: Usage;
  readonly queued: readonly QueuedInput[];
  readonly queueModes: Readonly<Record<QueueKind, QueueMode>>;
  /** Absent where no server is named. */
  readonly mcp?: readonly McpServerState[];
  /** Absent where none is configured. */
  readonly hooks?: readonly HookState[];
  /** Absent where there is none. */
  readonly extensions?: readonly ExtensionFacts[];
}

/** Estimated tokens of the messages in force. */
export interface ShortenedHistory {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export type QueueKind = "steer" | "follow_up";
export type QueueMode = "one-at-a-time" | "all";

export interface QueuedInput {
  readonly kind: QueueKind;
  readonly content: string;
  readonly attached?: AttachedParts;
  readonly requestId?: string;
  /** Who wrote it, where no person or client did: `extension:x`. */
  readonly origin?: string;
}

/** Input that waited, as a prompt. */
export function promptOf({ content, attached, origin }: QueuedInput): PromptInput {
  return {
    text: content,
    ...attached === undefined ? {} : { attached },
    ...origin === undefined ? {} : { origin },
  };
}

/** What front ends hold. Every event of it goes through the sink that it was made with. */
export interface Conversation {
  state(): ConversationState;
  /** Works on one prompt to its end. Throws only `ClosedOutput`; every failure is an outcome. */
  prompt(prompt: PromptInput | string, signal: AbortSignal): Promise<RunOutcome>;
  /** The tools in effect, in the order the model sees them, those of the mode only. */
  tools(): readonly AnyTool[];
  setMode(mode: Mode): Promise<void>;
  /** Changes the model, and with a provider the provider; throws `RunFailure` where it cannot be. */
  setModel(model: string, provider?: string): Promise<void>;
  setThinking(level: ThinkingLevel | undefined): Promise<void>;
  setApprovesEverything(on: boolean): void;
  /** Names the session. */
  rename(name: string): Promise<void>;
  /** Summarises older messages now; undefined where there is nothing older. Throws what the model throws. */
  compact(signal: AbortSignal, instruction?: string): Promise<ShortenedHistory | undefined>;
  /** Input for the running prompt: steering enters after the next results, follow-ups at the end. */
  enqueue(input: QueuedInput): Promise<void>;
  /** Takes the next input that waits out of the queue, for a prompt of its own. */
  dequeue(): Promise<QueuedInput | undefined>;
  clearQueue(): Promise<void>;
  /** From now on `take` is called when input comes that no person has sent while nothing is worked on. */
  whenIdleInput(take: () => void): void;
  setQueueMode(kind: QueueKind, mode: QueueMode): void;
  /** Announces the session's beginning and end; each once. */
  open(): Promise<void>;
  close(outcome: Pick<RunOutcome, "status" | "exitStatus">): Promise<void>;
}
