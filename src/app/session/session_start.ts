/** The event that announces a session. */
import type { Mode } from "../../core/capability.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { ChatModel } from "../../core/model.ts";
import { netText, type Sandbox } from "../../core/sandbox.ts";

export function sessionStart(
  { workspace, sandbox }: { readonly workspace: string; readonly sandbox?: Sandbox | undefined },
  { provider, model }: Pick<ChatModel, "provider" | "model">,
  mode: Mode,
  isResumed: boolean,
): AgentEvent {
  return {
    type: "session_start",
    workspace,
    provider,
    model,
    mode,
    ...(isResumed ? { resumed: true } : {}),
    ...sandbox && {
      sandbox: { mode: sandbox.mode, net: netText(sandbox.net), backend: sandbox.backend },
    },
  };
}
