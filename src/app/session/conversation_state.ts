/** What a front end is told of a conversation. */
import type { Mode } from "../../core/capability.ts";
import type { ConversationState } from "../../core/conversation.ts";
import type { ChatModel, ThinkingLevel } from "../../core/model.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { currentOf } from "./current_session.ts";
import type { InputQueue } from "./input_queue.ts";

export interface StateParts {
  readonly current: ReturnType<typeof currentOf>;
  readonly environment: ConversationEnvironment;
  readonly model: ChatModel;
  readonly mode: Mode;
  readonly thinking: ThinkingLevel | undefined;
  readonly approvesEverything: boolean;
  readonly busy: boolean;
  readonly queue: InputQueue;
}

export function conversationState(
  { current, environment, model, mode, thinking, approvesEverything, busy, queue }: StateParts,
): ConversationState {
  const { name, usage } = current.history;
  const { mcp, hooks, extensions, config } = environment;
  return {
    sessionId: current.session.id,
    workspace: environment.workspace,
    mode,
    provider: model.provider,
    model: model.model,
    contextWindow: config.settings["agent.context_window"] || model.contextWindow,
    ...(thinking === undefined ? {} : { thinking }),
    approvesEverything,
    busy,
    ...(name === undefined ? {} : { name }),
    usage,
    queued: queue.waiting,
    queueModes: queue.modes,
    ...mcp === undefined ? {} : { mcp: mcp.toolset.states() },
    ...hooks === undefined ? {} : { hooks: hooks.states() },
    ...extensions?.pool === undefined ? {} : { extensions: extensions.pool.states() },
  };
}
