/** The state that every response of RPC mode carries. */
import type { ConversationState } from "../../core/conversation.ts";
import type { JsonObject } from "../../core/json.ts";

export function stateOf(state: ConversationState, busy: boolean): JsonObject {
  return {
    session_id: state.sessionId,
    ...(state.name === undefined ? {} : { session_name: state.name.toWellFormed() }),
    workspace: state.workspace,
    mode: state.mode,
    provider: state.provider,
    model: state.model,
    ...(state.thinking === undefined ? {} : { thinking: state.thinking }),
    busy,
    queue_depth: state.queued.length,
    steering_mode: state.queueModes.steer,
    follow_up_mode: state.queueModes.follow_up,
    ...state.hooks === undefined ? {} : { hooks: state.hooks.map((hook) => ({ ...hook })) },
    ...state.extensions === undefined ? {} : {
      extensions: state.extensions.map(({ registeredMs: _, ...one }) => ({
        ...one,
        commands: [...one.commands],
        events: [...one.events],
      })),
    },
    ...state.mcp === undefined ? {} : { mcp: state.mcp.map((server) => ({ ...server })) },
  };
}
