/** What the console works with: one conversation and its managers. */
import type { ChangeManager } from "../../core/change_manager.ts";
import type { Conversation } from "../../core/conversation.ts";
import type { McpManager } from "../../core/mcp_manager.ts";
import type { ModelManager } from "../../core/model_manager.ts";
import type { PermissionManager } from "../../core/permission_manager.ts";
import type { SandboxManager } from "../../core/sandbox_manager.ts";
import type { SessionManager } from "../../core/session_manager.ts";
import type { SlashPrompts } from "../../core/slash_prompts.ts";

export interface CommandOutput {
  readonly text: string;
  readonly isError: boolean;
}

export interface ConsoleServices {
  readonly conversation: Conversation;
  readonly sessions: SessionManager;
  readonly models: ModelManager;
  readonly permissions: PermissionManager;
  readonly sandbox: SandboxManager;
  readonly mcp: McpManager;
  readonly changes: ChangeManager;
  /** Paths of the workspace that `typed` may become. */
  completePaths(typed: string, signal: AbortSignal): Promise<readonly string[]>;
  /** As they are now: a reload finds others. */
  slashPrompts(): SlashPrompts;
  /** Reads settings, tools, skills and templates again; the session goes on. May ask about trust. */
  reload(signal: AbortSignal): Promise<void>;
  /** Runs a person's own command in the workspace, without approval. */
  runCommand(
    command: string,
    onOutput: (delta: string) => void,
    signal: AbortSignal,
  ): Promise<CommandOutput>;
}
