/** The changes of a conversation's session: shown, and taken back. */
import type { ChangeManager } from "../core/change_manager.ts";
import { RunFailure } from "../core/failure.ts";
import { userRecord } from "../core/message_record.ts";
import type { UserMessage } from "../core/message.ts";
import { shownPath } from "../lib/shown_path.ts";
import type { OwnedConversation } from "./session/owned_conversation.ts";

export function createChangeManager(conversation: OwnedConversation): ChangeManager {
  const { current } = conversation;

  function assertResting(): void {
    if (!conversation.state().busy) return;
    throw new RunFailure("usage", "a prompt is being worked on; wait for its end");
  }

  /** The model would go on with what it wrote otherwise. */
  async function tellModel(paths: readonly string[]): Promise<void> {
    const { session, history } = current();
    const text = "I took back your last changes of these files, which are as they were before: " +
      paths.map(shownPath).join(", ");
    const content: UserMessage["content"] = [{ type: "text", text }];
    await session.append(userRecord(content));
    history.messages.push({ role: "user", content });
  }

  return {
    async diff() {
      const { changeDiff } = await import("../changes/change_diff.ts");
      return await changeDiff(current().changes);
    },
    async plannedUndo() {
      const { plannedUndo } = await import("../changes/undo.ts");
      return await plannedUndo(current().changes, current().environment);
    },
    async undo() {
      assertResting();
      const { undo } = await import("../changes/undo.ts");
      const done = await undo(current().changes, current().environment);
      if (done && done.files.length > 0) await tellModel(done.files.map(({ path }) => path));
      return done;
    },
  };
}
