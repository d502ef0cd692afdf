/** What a conversation is made of: the parts that the composition root connects. */
import type { History, RunContext } from "../../agent/run_context.ts";
import type { OutputSchema } from "../../core/output_schema.ts";
import type { Mode } from "../../core/capability.ts";
import type { PromptInput, QueueKind, QueueMode } from "../../core/conversation.ts";
import type { Sink } from "../../core/event.ts";
import type { Host } from "../../core/host.ts";
import type { UserMessage } from "../../core/message.ts";
import type { ChatModel, ThinkingLevel } from "../../core/model.ts";
import type { PermissionGate } from "../../core/permission.ts";
import type { Journal } from "../../core/record.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { Usage } from "../../core/usage.ts";
import type { PersonalCompactor } from "./compactor.ts";

/** What a prompt becomes before it is sent. */
export interface PreparedPrompt {
  readonly content: UserMessage["content"];
  /** What a person should know: a file left out, an unknown name. */
  readonly notices: readonly string[];
}

export interface ConversationParts {
  readonly host: Host;
  readonly workspace: string;
  readonly nimletHome: string | undefined;
  readonly sink: Sink;
  readonly sessionId: string;
  readonly resumed: boolean;
  readonly name?: string;
  /** What the session had used before. */
  readonly usage: Usage;
  readonly history: History;
  readonly journal: Journal;
  readonly permission: PermissionGate;
  /** Everything in effect, after `--tools`. */
  readonly tools: readonly AnyTool[];
  readonly childEnv: Record<string, string>;
  readonly limits: RunContext["limits"];
  readonly maxOutputTokens: number;
  readonly queueModes: Record<QueueKind, QueueMode>;
  readonly mode: Mode;
  readonly model: ChatModel;
  readonly thinking?: ThinkingLevel;
  readonly approvesEverything: { on: boolean };
  /** Makes another model; throws `RunFailure` where it cannot be. */
  createModel(model: string, provider: string): Promise<ChatModel>;
  systemPrompt(mode: Mode, tools: readonly AnyTool[]): Promise<string>;
  preparePrompt(prompt: PromptInput): Promise<PreparedPrompt>;
  readonly compactor?: PersonalCompactor;
  readonly afterTool?: RunContext["afterTool"];
  /** What the final answer must be; a miss is asked for again, and fails the run at last. */
  readonly outputSchema?: OutputSchema;
}
