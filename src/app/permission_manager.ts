/** The remembered permissions of a conversation, and the trust in its folder. */
import { messageOf, RunFailure } from "../core/failure.ts";
import type { PermissionManager } from "../core/permission_manager.ts";
import type { OpenedConversation } from "./open_conversation.ts";

export function createPermissionManager(opened: OpenedConversation): PermissionManager {
  const { current } = opened.conversation;
  const place = () => {
    const { workspace, nimletHome, host } = current().environment;
    return { workspace, nimletHome, home: host.env.home };
  };
  return {
    list() {
      const { session, project } = current().grants;
      return { session: session.list(), project: project?.list() };
    },
    async clear() {
      const { session, project } = current().grants;
      const count = session.list().length + (project?.list().length ?? 0);
      await session.clear();
      await project?.clear();
      return count;
    },
    async trust() {
      const { judgeTrust } = await import("../permissions/trust.ts");
      const { parts } = await judgeTrust(place());
      return { trusted: current().environment.trust.trusted, parts };
    },
    async setTrust(trusted) {
      const { setTrust } = await import("../permissions/trust.ts");
      try {
        await setTrust(place(), trusted);
      } catch (error) {
        throw new RunFailure("config", messageOf(error), { cause: error });
      }
      opened.forgetApproval();
      await opened.reload(undefined, "trust");
    },
  };
}
