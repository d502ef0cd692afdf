/** What the loop needs from outside: one object of ports. */
import type { Mode } from "../core/capability.ts";
import type { Emit } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import type { Message, UserMessage } from "../core/message.ts";
import type { ChatModel, ModelRequest } from "../core/model.ts";
import type { PermissionGate } from "../core/permission.ts";
import type { Journal } from "../core/record.ts";
import type { AnyTool, ToolOutput } from "../core/tool.ts";

/** The conversation so far; the loop appends to it, compaction replaces its contents. */
export interface History {
  messages: Message[];
}

export interface Compactor {
  /** Shortens the history where it is over budget. Throws `ModelError` where the summary fails. */
  ifNeeded(history: History, signal: AbortSignal): Promise<void>;
  /** Shortens after the model said that it does not fit; false where nothing can be gained. */
  afterOverflow(history: History, signal: AbortSignal): Promise<boolean>;
}

export interface LoopDeps {
  readonly host: Host;
  readonly model: ChatModel;
  /** Everything of a request but the conversation; asked before each step. */
  request(): Promise<Omit<ModelRequest, "messages" | "tools">>;
  /** The tools of this run, whatever the mode. */
  readonly tools: readonly AnyTool[];
  mode(): Mode;
  readonly emit: Emit;
  readonly journal: Journal;
  readonly permission: PermissionGate;
  readonly compactor?: Compactor;
  /** Input that came in meanwhile and enters now; after a batch of results or at the end. */
  takeQueued?(moment: "after_results" | "at_end"): Promise<UserMessage[]>;
  /** Looks at a result before it is kept, and may add to its text. */
  afterTool?(tool: AnyTool, input: unknown, output: ToolOutput): Promise<ToolOutput>;
  readonly workspace: string;
  readonly childEnv: Record<string, string>;
  readonly limits: {
    readonly maxSteps?: number;
    /** Silence of a stream that counts as broken. */
    readonly idleMs: number;
    readonly maxOutputBytes: number;
  };
}
