/** The sandbox of a conversation, as its front end sees and changes it. */
import { netText } from "../core/sandbox.ts";
import type { SandboxManager } from "../core/sandbox_manager.ts";
import type { OpenedConversation } from "./open_conversation.ts";

export function createSandboxManager(
  { conversation, chooseSandbox }: Pick<OpenedConversation, "conversation" | "chooseSandbox">,
): SandboxManager {
  return {
    state() {
      const { sandbox } = conversation.current().environment;
      if (sandbox === undefined) return { mode: "off", lines: [] };
      const lines = [["network", netText(sandbox.net)], ...sandbox.describe()] as const;
      return { mode: sandbox.mode, lines };
    },
    choose: chooseSandbox,
  };
}
